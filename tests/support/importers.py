"""Which thread of a running window has imported a library, and what is loaded when its shop has been read.

As a program (`python importers.py ARGS`, in the folder that holds petstore_desktop) it starts the program with these
arguments, and ends when every list has come from the service: prints one JSON object, an `Imported`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict

from tests.support.patience import PATIENCE_S

LOOK_MS = 50


class Imported(TypedDict):
    """The thread that was first to import a module, by the module's name, before the window was there and after."""

    before: dict[str, str]
    after: dict[str, str]


class Noting:
    """Finds no module; notes who looks for one."""

    def __init__(self) -> None:
        self.who: dict[str, str] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Asked for each module that is not loaded yet."""
        del path, target
        self.who.setdefault(name, threading.current_thread().name)
        return None


def imported(root: Path, *args: str, **env: str) -> Imported:
    """Who imported what in a program below `root`, started with `args`. Raises RuntimeError where no shop was read."""
    command = [sys.executable, str(Path(__file__).resolve()), *args]
    done = subprocess.run(
        command, cwd=root, env=os.environ | env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("{"):
        raise RuntimeError(f"no shop was read (exit code {done.returncode}): {done.stdout}{done.stderr}")
    return json.loads(last[0])


def main() -> None:
    """Start the program, and look every now and then whether its shop has been read."""
    noting = Noting()
    sys.meta_path.insert(0, noting)
    from petstore_desktop import app, cli

    opened = app.Program.open

    def open_and_watch(program: Any) -> None:
        opened(program)
        from PySide6.QtCore import QTimer

        before = dict(noting.who)
        timer = QTimer(program.application)
        timer.timeout.connect(lambda: _end_when_read(program, before, noting.who))
        timer.start(LOOK_MS)

    app.Program.open = open_and_watch
    sys.exit(cli.main(sys.argv[1:]))


def _end_when_read(program: Any, before: dict[str, str], now: dict[str, str]) -> None:
    from petstore_desktop.domain.records import Resource

    desk = program.window.shop.desk
    if not all(desk.load(resource).phase in ("ready", "empty") for resource in Resource):
        return
    after = {name: who for name, who in dict(now).items() if name not in before and name in sys.modules}
    sys.stdout.write(f"{json.dumps(Imported(before=before, after=after))}\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    main()
