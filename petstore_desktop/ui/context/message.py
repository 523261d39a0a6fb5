"""What the window says in passing, at its lower edge; and acts that it can take back there itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from petstore_desktop.quicker.dataclass import dataclass

if TYPE_CHECKING:
    from petstore_desktop.domain.send_block import Cause


@dataclass(frozen=True, slots=True, eq=False)
class LocalAct:
    """An act that only this computer knows. `what`: the rest of "Undo ...", as a menu says it; `at`: UTC epoch
    seconds; `before`: the batches and decisions that were there already; `back` takes it back, `again` redoes it."""

    what: str
    at: float
    before: frozenset[str]
    back: Callable[[], object]
    again: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Message:
    """A toast: words, icon, and whether Undo is offered (of `batch` or `decision`, where it names one; else of what
    was done last), or Redo; or the way to another shop, by its slug, or a `file` to open. `act`: what was done is
    kept on this computer only. `cause`: it holds as long as this holds up sending, and goes with it."""

    text: str
    icon: str = "saved"
    undo: bool = False
    batch: str = ""
    redo: bool = False
    decision: str = ""
    shop: str = ""
    file: str = ""
    act: LocalAct | None = None
    cause: Cause | None = None


Say: TypeAlias = Callable[[Message], object]
"""Shows a message."""
