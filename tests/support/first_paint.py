"""Which modules a start of the program has loaded when its window is painted first, and which of them are too many.

As a program (`python first_paint.py ARGS`, in the folder that holds petstore_desktop) it starts the program with these
arguments, prints the loaded modules as a JSON list at the first paint of a window, and ends.
"""

from __future__ import annotations

import ast
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.support.patience import PATIENCE_S

PACKAGE = "petstore_desktop"
MODULES_OF_OURS = 91
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


def complaints(loaded: Iterable[str], most: int = MODULES_OF_OURS) -> list[str]:
    """Return one line for each library that a first paint must not wait for, and one if too many modules are ours."""
    names = set(loaded)
    lines = [f"{name} is loaded before the first paint" for name in sorted(names & TOO_HEAVY)]
    ours = [name for name in names if name.partition(".")[0] == PACKAGE and has_code(name)]
    if len(ours) > most:
        lines.append(f"{len(ours)} modules of ours are loaded before the first paint, {most} at most")
    return lines


def has_code(name: str) -> bool:
    """Return whether a module does anything: an `__init__.py` that is empty, or says only what is in the folder, costs
    a start next to nothing."""
    start = Path(__file__).resolve().parents[2].joinpath(*name.split("."), "__init__.py")
    return not start.is_file() or any(not isinstance(one, ast.Expr) for one in ast.parse(start.read_text("utf-8")).body)


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
