"""Copies the checkout to a computer with Windows, as one that its owner unpacked there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from windows import place
from windows.wine import Windows

MADE = ("resources/translations/*.qm",)
"""What is no part of the repository and is made before anything runs."""


def bring(windows: Windows) -> Path:
    """Bring the copy up to date, and return where it is. What Python compiled there is kept."""
    target = windows.own_folder / "Pet Store"
    wanted = set(files())
    for file in sorted(wanted):
        source, copy = place.ROOT / file, target / file
        if not copy.is_file() or stamp(copy) != stamp(source):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
    for copy in sorted(target.rglob("*")):
        if copy.is_file() and copy.suffix != ".pyc" and copy.relative_to(target) not in wanted:
            copy.unlink()
    return target


def files() -> Iterator[Path]:
    """Yield what the checkout holds: what git knows or would take, and what is made first."""
    ask = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    said = subprocess.run(ask, cwd=place.ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, said.split("\0")):
        if (place.ROOT / name).is_file():
            yield Path(name)
    for pattern in MADE:
        yield from (file.relative_to(place.ROOT) for file in place.ROOT.glob(pattern))


def stamp(file: Path) -> tuple[int, int]:
    """Return what tells one state of a file from another."""
    found = file.stat()
    return found.st_size, found.st_mtime_ns
