"""A start under the clock, as a program of its own: `_first_rows.py bare | program ARGS | explain ARGS | leave ARGS`.

It starts a bare window, or the program with ARGS, prints the time of the first paint (for the program: the first of a
table that holds rows) as one JSON line and ends at once. Times are `time.perf_counter`, which all processes of a
machine share. `explain` also says what the time went into, in seconds: a run of its own, because asking costs time.
"""

from __future__ import annotations

import time

BEGAN = time.perf_counter()

import os  # noqa: E402  the clock comes first
import sys  # noqa: E402  the clock comes first
from collections.abc import Callable  # noqa: E402  the clock comes first

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100,PTH120 no pathlib
WINDOW = (1280, 800)
LEAVING_S = 300.0
TABLE = "petstore_desktop.ui.grid.table_view"


def end(**facts: object) -> None:
    """Say when the paint was, and stop without any of the work that comes after it."""
    import json

    sys.stdout.write(json.dumps({"began": BEGAN, **facts}) + "\n")
    sys.stdout.flush()
    os._exit(0)


def bare() -> None:
    """A window with nothing in it: what Qt and Python take by themselves."""
    from PySide6 import QtGui, QtWidgets

    class Window(QtWidgets.QMainWindow):
        def paintEvent(self, event: QtGui.QPaintEvent) -> None:
            super().paintEvent(event)
            end(painted=time.perf_counter())

    app = QtWidgets.QApplication([sys.argv[0]])
    window = Window()
    window.resize(*WINDOW)
    window.show()
    app.exec()


def watch(done: Callable[[float], None]) -> None:
    """Call `done` with the time after the first paint of one of the program's tables that holds rows.

    It looks at the table's own painting, once the window is built. To look at every event of the application would be
    part of the figure: for each, Qt for Python makes the classes of event and receiver, and their enums.
    """
    from petstore_desktop import app

    build = app.Program.open

    def built(program: app.Program) -> None:
        build(program)
        table = sys.modules[TABLE].TableView
        paint = table.paintEvent

        def painted(view: table, event: object) -> None:
            paint(view, event)
            if view.model().rowCount():
                done(time.perf_counter())

        table.paintEvent = painted

    app.Program.open = built


def program(args: list[str]) -> None:
    """The program itself, as its installed command starts it."""
    watch(lambda at: end(painted=at))
    from petstore_desktop.cli import main

    sys.exit(main(args))


def explain(args: list[str]) -> None:
    """The program once more, with its parts under the clock."""
    from tests.bench._parts import Parts

    parts = Parts()
    parts.count_imports()
    watch(lambda at: end(painted=at, parts=parts.seconds(at), modules=parts.modules()))
    parts.follow()
    from petstore_desktop.cli import main

    sys.exit(main(args))


def leave(args: list[str]) -> None:
    """The program, left with the pets that are called koi, those of which there are most first: what the next starts
    have to show again."""
    from petstore_desktop import app
    from petstore_desktop.domain.records import Resource

    built = app.Program(app.Start(data_dir=args[args.index("--data-dir") + 1], connection=args[-1]))
    built.open()
    window = built.window
    window.setGeometry(0, 0, *WINDOW)
    window.show_tab("pets")
    tab, desk = window.tab(), window.shop.desk
    end_at = time.monotonic() + LEAVING_S
    while any(desk.load(resource).phase == "reading" for resource in Resource) and time.monotonic() < end_at:
        built.application.processEvents()
    tab.sort("stock", descending=True)
    tab.set_filter("koi")
    while (not tab.table.row_count or desk.idle()) and time.monotonic() < end_at:
        built.application.processEvents()
    tab.view.scrollToTop()
    window.close_now = True
    window.close()
    built.close()
    sys.exit(0)


if __name__ == "__main__":
    sys.path[0] = ROOT
    kind, rest = sys.argv[1], sys.argv[2:]
    sys.argv[1:] = rest
    {"bare": lambda _: bare(), "explain": explain, "leave": leave}.get(kind, program)(rest)
