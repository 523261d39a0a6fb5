"""Which modules a start of the program has loaded when its window is painted first, and which of them are too heavy.

As a program (`python first_paint.py ARGS`, in the folder that holds petstore_desktop) it starts the program with these
arguments, prints the loaded modules as a JSON list at the first paint of a window, and ends.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.support.patience import PATIENCE_S

PACKAGE = "petstore_desktop"
TOO_HEAVY = {"httpx", "pydantic", "keyring", "asyncio", "yaml", "openpyxl", "numpy"}
# Nothing of these is needed to paint either: the demo shop's own, and what only a connection needs.
TOO_HEAVY |= {"starlette", "uvicorn", "truststore", "ssl"}


def modules(root: Path, *args: str, **env: str) -> list[str]:
    """Return what is loaded at the first paint of the program below `root`, started with `args`.

    Raises RuntimeError with what the program said where nothing was painted.
    """
    command = [sys.executable, str(Path(__file__).resolve()), *args]
    done = subprocess.run(
        command, cwd=root, env=os.environ | env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    last = done.stdout.strip().splitlines()[-1:]
    if done.returncode or not last or not last[0].startswith("["):
        raise RuntimeError(f"nothing was painted (exit code {done.returncode}): {done.stdout}{done.stderr}")
    return json.loads(last[0])


def complaints(loaded: Iterable[str]) -> list[str]:
    """Return one line for each library that a first paint must not wait for."""
    return [f"{name} is loaded before the first paint" for name in sorted(set(loaded) & TOO_HEAVY)]


def main() -> None:
    """Start the program with a QApplication that ends at the first paint."""
    from PySide6 import QtCore, QtWidgets  # the parent process, which imports this file too, does without Qt

    class Watched(QtWidgets.QApplication):
        def notify(self, receiver: QtCore.QObject, event: QtCore.QEvent) -> bool:
            if event.type() == QtCore.QEvent.Type.Paint and isinstance(receiver, QtWidgets.QWidget):
                sys.stdout.write(f"{json.dumps(sorted(sys.modules))}\n")
                sys.stdout.flush()
                os._exit(0)
            return super().notify(receiver, event)

    QtWidgets.QApplication = Watched
    sys.path[0] = str(Path.cwd())
    runpy.run_module(PACKAGE, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
