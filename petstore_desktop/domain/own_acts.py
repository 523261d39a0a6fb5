"""What a person did to what only this computer keeps (minimums, bar codes, views), as it is kept for Undo: an act is
its kind, and what the parts that it is about were before it and after, by their names, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from petstore_desktop.domain.records import JsonValue

OwnParts: TypeAlias = Mapping[str, JsonValue]
"""By name; None for what is not there."""


class OwnAct(Struct, frozen=True):
    """One act. `what`: the rest of "Undo ..."; `at`: UTC epoch seconds; `upon`: the batch or decision of the journal
    that was the latest then, by which their order is known though a clock was set."""

    id: str
    what: str
    at: float
    kind: str
    before: dict[str, JsonValue]
    after: dict[str, JsonValue]
    upon: str = ""


class OwnActs(Struct, frozen=True):
    """The acts that can be undone, the latest at the end. `undone`: what was undone since the last act, the last at the
    end, where a text is a batch that the journal undid; `closed`: batches that redo does not take any more."""

    done: tuple[OwnAct, ...] = ()
    undone: tuple[OwnAct | str, ...] = ()
    closed: tuple[str, ...] = ()
