"""Reads and writes the version, which stands in one place: petstore_desktop/__init__.py."""

from __future__ import annotations

import re
from pathlib import Path

from release import ReleaseError

ROOT = Path(__file__).resolve().parents[2]
PLACE = Path("petstore_desktop") / "__init__.py"
LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
FORM = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def current(root: Path = ROOT) -> str:
    """Return the version of the checkout. Raises ReleaseError where it is not said once."""
    said = LINE.findall((root / PLACE).read_text("utf-8"))
    if len(said) != 1:
        raise ReleaseError(f"{PLACE} says its version {len(said)} times.")
    return said[0]


def parts(version: str) -> tuple[int, ...]:
    """Return the numbers of a version. Raises ReleaseError where it is not of the form 1.2.3."""
    found = FORM.fullmatch(version)
    if not found:
        raise ReleaseError(f"{version!r} is no version: write three numbers, such as 0.2.0.")
    return tuple(map(int, found.groups()))


def write(version: str, root: Path = ROOT) -> None:
    """Put another version there."""
    parts(version)
    place = root / PLACE
    place.write_text(LINE.sub(f'__version__ = "{version}"', place.read_text("utf-8")), "utf-8")
