"""Reads what only the owner can decide or get; a placeholder stops whatever needs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from release import ReleaseError

PLACE = Path(__file__).resolve().parent / "owner.toml"


def values(place: Path = PLACE) -> dict[str, str]:
    """Return all values, placeholders too."""
    return tomllib.loads(place.read_text("utf-8"))


def is_placeholder(value: str) -> bool:
    """Say whether a value is still to be filled in."""
    return not value.strip() or value.startswith("<")


def value(name: str, place: Path = PLACE) -> str:
    """Return one value. Raises ReleaseError where it is a placeholder."""
    found = values(place).get(name, "")
    if is_placeholder(found):
        raise ReleaseError(f"{name} in packaging/release/{place.name} is not filled in: {found or 'it is missing'}.")
    return found


def missing(place: Path = PLACE) -> list[str]:
    """Return the names of what is still to be filled in."""
    return [name for name, found in values(place).items() if is_placeholder(found)]
