"""What the window says in passing, at its lower edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from petstore_desktop.domain.quota import Cause


class Message(Struct, frozen=True):
    """A toast: words, icon, and the id of the act of which it offers Undo (see `desk/changes/done_acts`), or Redo; or
    the way to another shop, by its slug, or a `file` to open. `batch`: the one that it tells of, and follows. `done`:
    it tells of an act that has no id. `cause`: it holds as long as this holds up sending, and goes with it. `still`:
    whether what it says is so yet; it is asked while the message is shown."""

    text: str
    icon: str = "saved"
    undo: str = ""
    redo: str = ""
    batch: str = ""
    shop: str = ""
    file: str = ""
    done: bool = False
    cause: Cause | None = None
    still: Callable[[], bool] | None = None

    @property
    def of_act(self) -> bool:
        """Whether it tells of an act: it goes when that is undone, or something else is done, undone or redone."""
        return bool(self.undo or self.redo or self.batch or self.done)

    @property
    def of_place(self) -> bool:
        """Whether it says something of the page where it was said, and of nothing else: it stays there."""
        return not (self.of_act or self.shop or self.file or self.cause)


Say: TypeAlias = Callable[[Message], object]
"""Shows a message."""
