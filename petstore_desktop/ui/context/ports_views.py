"""What the window asks about what is kept beside the service's records: minimum stock, what changed today, and files of
views.

None of these methods blocks; callbacks come in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.low_stock import Minimums
    from petstore_desktop.domain.records import JsonValue, Key, Resource

ChangedKeys: TypeAlias = "Mapping[Resource, frozenset[Key]]"


class ViewsPort(Protocol):
    """Of one connection."""

    def read_minimums(self, done: Callable[[Minimums, ShopError | None], None]) -> None:
        """Read the stored minimums; with an error if some are missing or a damaged file was set aside."""
        ...

    def keep_minimums(self, minimums: Minimums, failed: Callable[[ShopError], None]) -> None:
        """Keep these in the place of all before; the last ones win."""
        ...

    def changed_since(self, since: float, done: Callable[[ChangedKeys], None]) -> None:
        """Which records are new or look otherwise since then (UTC epoch seconds, a full quarter of an hour), whoever
        changed them; what the service was not yet asked for is not in it."""
        ...

    def write_views(self, path: str, views: Sequence[JsonValue], done: Callable[[ShopError | None], None]) -> None:
        """Write views to a file."""
        ...

    def read_views(self, path: str, done: Callable[[Sequence[JsonValue] | ShopError], None]) -> None:
        """Read a file that `write_views` wrote, here or elsewhere."""
        ...
