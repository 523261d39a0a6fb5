"""What the window asks about what is kept beside the service's records: minimum stock, taught bar codes, what changed
today, and files of views; and about the past of a shop: what changed, when, and by whom, and what there was on each
day.

None of these methods blocks; callbacks come in the GUI thread, with a StorageError where a file cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from datetime import date

    from petstore_desktop.domain.codes import Codes
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.low_stock import Minimums
    from petstore_desktop.domain.records import JsonValue, Key, Ref, Resource
    from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span

ChangedKeys: TypeAlias = "Mapping[Resource, frozenset[Key]]"


class ViewsPort(Protocol):
    """Of one connection."""

    def read_minimums(self, done: Callable[[Minimums, ShopError | None], None]) -> None:
        """Read the stored minimums; with an error if some are missing or a damaged file was set aside."""
        ...

    def keep_minimums(self, minimums: Minimums, failed: Callable[[ShopError], None]) -> None:
        """Keep these in the place of all before; the last ones win."""
        ...

    def read_codes(self, done: Callable[[Codes, ShopError | None], None]) -> None:
        """Read the stored codes; with an error if some are missing or a damaged file was set aside."""
        ...

    def keep_codes(self, codes: Codes, failed: Callable[[ShopError], None]) -> None:
        """Keep these in the place of all before; the last ones win."""
        ...

    def export_codes(self, path: str, codes: Codes, done: Callable[[ShopError | None], None]) -> None:
        """Write codes to a file for another computer."""
        ...

    def import_codes(self, path: str, done: Callable[[Codes | ShopError], None]) -> None:
        """Read a file that `export_codes` wrote, here or elsewhere."""
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


class PastPort(Protocol):
    """The history of one connection. Times are UTC epoch seconds."""

    def span(self, done: Callable[[Span | ShopError], None]) -> None:
        """From when to when the history tells."""
        ...

    def changes_between(
        self, then: float, now: float, done: Callable[[Sequence[SeenChange] | ShopError], None]
    ) -> None:
        """One change for each record and field that differs between the two moments, oldest first. What moved and moved
        back is not in it. Made by all who changed it between them, it lies between when its old value was last said
        and when its last change was seen."""
        ...

    def changes_of(self, ref: Ref, done: Callable[[Sequence[SeenChange] | ShopError], None]) -> None:
        """Each single change of one record (a pet with its stock), newest first, at most 1,000."""
        ...

    def totals(self, first: date, last: date, done: Callable[[Sequence[DayTotals] | ShopError], None]) -> None:
        """The totals of these days, oldest first, as far as there are any."""
        ...

    def units_gone(self, since: float, done: Callable[[Mapping[Key, int] | ShopError], None]) -> None:
        """By pet: the pieces by which its stock fell since then, decrease by decrease."""
        ...
