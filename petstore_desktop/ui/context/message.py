"""What the window says in passing, at its lower edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.domain.send_block import Cause
    from petstore_desktop.ui.context.local_acts import LocalAct


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
