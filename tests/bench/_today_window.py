"""The real window on a shop with a long past: `_today_window.py DATA CONNECTION RUNS`.

Chooses Today again and again, and notes when its page was painted first, when it was painted last within a second, and
what was sent meanwhile. Prints one JSON line: lists of ms, and a number of requests.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S, SETTLED_S, PAUSE_S, LOOKED_S = 120.0, 2.5, 0.3, 1.0


def sent(requests: Path) -> int:
    """How many requests the program has noted."""
    with closing(sqlite3.connect(f"{requests.as_uri()}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        counts = [database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names]
    return sum(counts)


class Watched:
    """The program, and when its Today was painted."""

    def __init__(self, data: str, connection: str) -> None:
        from PySide6.QtCore import QEvent, QObject
        from PySide6.QtWidgets import QWidget

        from petstore_desktop import app

        self._program = app.Program(app.Start(data_dir=data, connection=connection))
        self._program.open()
        self.window, self.painted = self._program.window, list[float]()
        watched = self

        class Eye(QObject):
            """Notes each paint of what belongs to Today's page."""

            def eventFilter(self, widget: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint and isinstance(widget, QWidget) and watched.has(widget):
                    watched.painted.append(time.perf_counter())
                return False

        self._eye = Eye()
        self._program.application.installEventFilter(self._eye)

    def has(self, widget: Any) -> bool:
        """Whether this belongs to Today, and it is shown."""
        page = self.window.page() if self.window.shown() == "today" else None
        return page is not None and (widget is page or page.isAncestorOf(widget))

    def turn(self, seconds: float) -> None:
        """Let the window work."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._program.application.processEvents()
            time.sleep(0.000_5)

    def wait_for_lists(self) -> None:
        """Wait until every list is read."""
        from petstore_desktop.domain.records import Resource

        desk, began = self.window.shop.desk, time.perf_counter()
        while any(desk.load(one).as_of is None for one in Resource) and time.perf_counter() - began < DEADLINE_S:
            self.turn(0.1)
        self.turn(SETTLED_S)


def main(data: str, connection: str, runs: int) -> None:
    """Open the window, wait until all is read, choose Today, print, and end."""
    from petstore_desktop.data_folder import Places

    watched = Watched(data, connection)
    watched.window.show_tab("pets")
    watched.wait_for_lists()
    found: dict[str, list[float]] = {"Today painted, first time": [], "Today painted": [], "Today whole": []}
    requests, kept = 0, Places(Path(data)).requests(connection)
    for number in range(runs + 1):
        watched.window.show_tab("pets")
        watched.turn(PAUSE_S)
        watched.painted.clear()
        before, chosen = sent(kept), time.perf_counter()
        watched.window.show_tab("today")
        watched.turn(LOOKED_S)
        requests += sent(kept) - before
        found["Today painted" if number else "Today painted, first time"].append((watched.painted[0] - chosen) * 1000)
        found["Today whole"].append((watched.painted[-1] - chosen) * 1000)
    sys.stdout.write(json.dumps({"times": found, "requests": requests}) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
