"""Where the links of Today lead: the window says it, as its other parts are not known here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.context.navigation import ListTarget, Station
    from petstore_desktop.ui.today.worth_a_look import PutAway


class TodayWays(Struct, frozen=True):
    """`rows`: the rows behind a count; `record`: one record; `review`: what needs a person, at a record; `desk`: a desk
    of the stock room as it was left; `requests`: each request. `refresh` reads all lists anew, `refresh_key` is its key
    as it is written. `since`: when the latest absence began (UTC epoch seconds), None before the first; `put_away`
    remembers which data checks a person does not want to see; `compare`: what differs between two moments.
    """

    rows: Callable[[ListTarget], object]
    record: Callable[[Ref], object]
    review: Callable[[Ref | None], object]
    desk: Callable[[Station], object]
    refresh: Callable[[], object]
    refresh_key: Callable[[], str]
    requests: Callable[[], object]
    since: Callable[[], float | None]
    put_away: PutAway
    compare: Callable[[float, float], object] | None = None
