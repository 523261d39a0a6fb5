"""A start under the clock, as a program of its own: `_first_rows.py bare | program ARGS | explain ARGS`.

It starts a bare window, or the program with ARGS, prints the time of the first paint (for the program: the first of a
table that holds rows) as one JSON line and ends at once. Times are `time.perf_counter`, which all processes of a
machine share. `explain` also says what the time went into, in seconds; it is a run of its own because asking costs time.
"""

from __future__ import annotations

import time

BEGAN = time.perf_counter()

import os  # noqa: E402  the clock comes first
import sys  # noqa: E402  the clock comes first
from collections.abc import Callable  # noqa: E402  the clock comes first

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100,PTH120 no pathlib
WINDOW = (1280, 800)


def end(**facts: object) -> None:
    """Say when the paint was, and stop without any of the work that comes after it."""
    import json

    sys.stdout.write(json.dumps({"began": BEGAN, **facts}) + "\n")
    sys.stdout.flush()
    os._exit(0)


def watch(painted: Callable[[object], bool], done: Callable[[float], None]) -> None:
    """Call `done` with the time after the first Paint event whose receiver `painted` agrees to."""
    from PySide6 import QtCore, QtWidgets

    paint = QtCore.QEvent.Type.Paint

    class Watched(QtWidgets.QApplication):
        def notify(self, receiver: QtCore.QObject, event: QtCore.QEvent) -> bool:
            handled = super().notify(receiver, event)
            if event.type() == paint and painted(receiver):
                done(time.perf_counter())
            return handled

    QtWidgets.QApplication = Watched


def bare() -> None:
    """A window with nothing in it: what Qt and Python take by themselves."""
    watch(lambda _receiver: True, lambda at: end(painted=at))
    from PySide6 import QtWidgets

    app = QtWidgets.QApplication([sys.argv[0]])
    window = QtWidgets.QMainWindow()
    window.resize(*WINDOW)
    window.show()
    app.exec()


def holds_rows(receiver: object) -> bool:
    """Say whether this is the inside of a table that has rows."""
    from PySide6 import QtWidgets

    if not isinstance(receiver, QtWidgets.QWidget):
        return False
    view = receiver.parentWidget()
    if not isinstance(view, QtWidgets.QAbstractItemView) or view.viewport() is not receiver:
        return False
    model = view.model()
    return model is not None and model.rowCount() > 0


def program(args: list[str]) -> None:
    """The program itself, as its installed command starts it."""
    watch(holds_rows, lambda at: end(painted=at))
    from petstore_desktop.cli import main

    sys.exit(main(args))


def explain(args: list[str]) -> None:
    """The program once more, with its parts under the clock."""
    from tests.bench._parts import Parts

    parts = Parts()
    with parts.counting_imports():
        watch(holds_rows, lambda at: end(painted=at, parts=parts.seconds(at), modules=parts.modules()))
        parts.follow()
        from petstore_desktop.cli import main

        sys.exit(main(args))


if __name__ == "__main__":
    sys.path[0] = ROOT
    kind, rest = sys.argv[1], sys.argv[2:]
    sys.argv[1:] = rest
    bare() if kind == "bare" else (explain if kind == "explain" else program)(rest)
