"""What the window asks about files of rows: to write what a list shows, and to read what shall be brought in.

None of these methods blocks; callbacks come in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.sheets import Sheet, SheetWish


class FilesPort(Protocol):
    """Files of one shop's rows."""

    def read(
        self, path: str, wish: SheetWish, tell: Callable[[int], None], done: Callable[[Sheet | ShopError], None]
    ) -> Callable[[], None]:
        """Read a file of rows. `tell` hears now and then how many rows are read; `done` gets them all, or why there are
        none. Returns what stops it: then neither is called any more."""
        ...
