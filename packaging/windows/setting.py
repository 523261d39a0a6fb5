"""What every command of `dev.py windows` runs in: the computer, its Python, a copy of the checkout, and a screen."""

from __future__ import annotations

import fcntl  # house: platform - of Debian alone
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import machine
from windows import checkout, interpreter, place, wine

SCREEN = "1600x1000x24"


@dataclass(frozen=True, slots=True)
class Setting:
    """A computer with Windows that has a screen, the path of its python.exe, and the copy of the checkout on it."""

    windows: wine.Windows
    python: Path
    checkout: Path

    def run(self, *arguments: str | Path, **more: str) -> int:
        """Run Python there in the checkout, and return the exit code."""
        return self.windows.run(self.python, *arguments, cwd=self.checkout, **more)

    def take_picture(self, file: Path) -> None:
        """Write what is on the screen now to a file."""
        file.parent.mkdir(parents=True, exist_ok=True)
        place.must("import", "-display", self.windows.display, "-window", "root", file)


@contextmanager
def setting() -> Generator[Setting]:
    """Make what is not there, and yield all of it; one at a time has it. Raises SetupError."""
    machine.ensure_packages(*machine.WINDOWS)
    place.FOLDER.mkdir(parents=True, exist_ok=True)
    with (place.FOLDER / "in-use").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # house: platform - of Debian alone
        windows, python = wine.computer(), interpreter.interpreter() / "python.exe"
        with screen() as display:
            yield Setting(replace(windows, display=display), python, checkout.bring(windows))


@contextmanager
def screen() -> Generator[str]:
    """Yield the name of a screen of our own."""
    ours, theirs = os.pipe()
    command = ("Xvfb", "-displayfd", str(theirs), "-screen", "0", SCREEN, "-nolisten", "tcp")
    with subprocess.Popen(command, pass_fds=(theirs,), stderr=subprocess.DEVNULL) as server:
        os.close(theirs)
        with os.fdopen(ours, "rb") as said:
            name = said.readline().decode().strip()
        try:
            if not name:
                raise machine.SetupError("Xvfb did not start")
            yield f":{name}"
        finally:
            server.terminate()
