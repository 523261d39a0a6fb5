"""Where all that `dev.py windows` needs lies, and how a part of it gets there: whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "packaging" / "pins"
GAPS = Path(__file__).resolve().parent / "gaps"
MADE = ROOT / "build" / "windows"
"""What people look at afterwards."""
FOLDER = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "petstore-desktop-windows"


def made(kind: str, of: bytes, make: Callable[[Path], object]) -> Path:
    """Return the folder of this kind that is made of these bytes, and make it if it is not there. Others of its kind
    are thrown away then."""
    folder = FOLDER / f"{kind}-{hashlib.sha256(of).hexdigest()[:12]}"
    if folder.is_dir():
        return folder
    for old in FOLDER.glob(f"{kind}-*"):
        shutil.rmtree(old)
    new = FOLDER / f"new-{kind}"
    shutil.rmtree(new, ignore_errors=True)
    new.parent.mkdir(parents=True, exist_ok=True)
    make(new)
    new.rename(folder)
    return folder


LONGEST_S = 1_200.0
"""How long one tool may take: what fetches something may wait for ever otherwise."""


def must(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a tool and return what it says. Raises SetupError with the end of that where it fails, or takes too long."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, timeout=LONGEST_S)
    except subprocess.TimeoutExpired:
        raise machine.SetupError(f"this took longer than {LONGEST_S:.0f} s: {command[0]}") from None
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise machine.SetupError(f"this failed with exit code {done.returncode}: {command[0]}\n{said}")
    return done.stdout
