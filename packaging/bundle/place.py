"""Where what people install is made, for which version, and of what age: the same for every step of `dev.py build`."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import machine
from release.version import current

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
PINS = PACKAGING / "pins"
BUILD = ROOT / "build"
"""What may be thrown away: the downloaded packages, the environment that the bundle is made in."""
DIST = ROOT / "dist"
"""What people get."""
NAME = "petstore-desktop"
BUNDLE = DIST / NAME
HOMEPAGE = "https://petstore-desktop.example/"
MAINTAINER = "Pet Store Desktop contributors <contributors@petstore-desktop.example>"
"""Both are the owner's to say: names below .example are nobody's, and no release goes out with them."""


def version() -> str:
    """Return the version of the program."""
    return current()


@cache
def epoch() -> int:
    """Return the second that every file gets as its time: that of the last commit, unless SOURCE_DATE_EPOCH says
    another. Raises SetupError outside a clone without it."""
    if said := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(said)
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    if asked.returncode:
        raise machine.SetupError("this is no clone: set SOURCE_DATE_EPOCH to the second of the release")
    return int(asked.stdout)


def environment(**more: str) -> dict[str, str]:
    """Return what every tool of the build is started with, so that it makes the same bytes each time."""
    fixed = {"SOURCE_DATE_EPOCH": str(epoch()), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C"}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**inherited, **fixed, "TZ": "UTC", **more}


def run(*command: str | Path, cwd: Path = ROOT, quiet: bool = False, **more: str) -> None:
    """Run a tool of the build. Raises SetupError with what it said if it fails."""
    words = [str(word) for word in command]
    output = subprocess.PIPE if quiet else None
    done = subprocess.run(
        words, cwd=cwd, env=environment(**more), check=False, text=True, stdout=output, stderr=subprocess.STDOUT
    )
    if done.returncode:
        said = "\n".join((done.stdout or "").splitlines()[-30:])
        raise machine.SetupError(f"this failed with exit code {done.returncode}: {' '.join(words)}\n{said}".rstrip())


def said_by(*command: str | Path, cwd: Path = ROOT) -> str:
    """Return what a tool of the build prints. Raises SetupError with what it said if it fails."""
    done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise machine.SetupError(f"this failed: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def own_python() -> Path:
    """Return the interpreter of the checkout's own environment, which has the tools that make wheels."""
    return machine.venv_program(ROOT / ".venv", "python")


def system() -> str:
    """Return which of the three systems this is: linux, windows or macos."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
