"""Decisions about a stuck change (refused, in conflict or uncertain), and drafts of unfinished forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from petstore_desktop.domain.changes import Fields, NewChange
from petstore_desktop.domain.records import FieldValue


class Choice(StrEnum):
    """What becomes of the changes."""

    MINE = "mine"
    """They are sent again, resting on what the person saw that the service has."""
    THEIRS = "theirs"
    """They are let go."""
    DONE = "done"
    """The service has done them: the person knows."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The choice for these changes of one record. `theirs`: what the person saw of the service's; `instead`: acts that
    take the place of changes that are let go."""

    change_ids: tuple[int, ...]
    choice: Choice
    theirs: Fields = field(default_factory=dict[str, FieldValue])
    instead: tuple[NewChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can be brought back, or whose changes, sent since, can be taken back. `at`: UTC epoch seconds."""

    id: str
    at: float
    change_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A half-filled form: its name, when it was last touched (UTC epoch seconds), and its texts by field."""

    form: str
    at: float
    content: Mapping[str, str]
