"""Ship dates: the service's text read as a local day, without ever changing the text."""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime, tzinfo

from msgspec import Struct

from petstore_desktop.domain.records import calendar_moment

_DATE_LENGTH = len("2025-11-18")


class ShipDate(Struct, frozen=True):
    """One ship date. `raw` is the service's own text.

    `local` is in the local zone and naive; None where the text cannot be read. `zoned` tells whether the text named an
    offset (without one it is shown unshifted and marked); `timed` whether it had a time of day.
    """

    raw: str
    local: datetime | None
    zoned: bool = False
    timed: bool = True

    @property
    def day(self) -> date | None:
        """The local day, None where the text cannot be read."""
        return None if self.local is None else self.local.date()


@functools.lru_cache(maxsize=65_536)
def parse_ship_date(raw: str, zone: tzinfo | None = None) -> ShipDate:
    """Read RFC 3339 text (`Z`, an offset, none, any number of decimals) or a bare day; never raises.

    `zone` is the local zone, None for the computer's.
    """
    text = raw.strip()
    try:
        # A space between day and time, and a lower-case t or z, are allowed by RFC 3339 section 5.6.
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return ShipDate(raw, None)
    timed = len(text) > _DATE_LENGTH
    if moment.tzinfo is None:
        return ShipDate(raw, moment, zoned=False, timed=timed)
    try:
        local = moment.astimezone(zone).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        # Year 1 or 9999 shifted out of the calendar: still shown, as it stands.
        return ShipDate(raw, moment.replace(tzinfo=None), zoned=False, timed=timed)
    return ShipDate(raw, local, zoned=True, timed=timed)


def local_day(wall: float, zone: tzinfo | None = None) -> date:
    """The local day of a moment in UTC epoch seconds."""
    return datetime.fromtimestamp(calendar_moment(wall), tz=UTC).astimezone(zone).date()


def days_late(ship: ShipDate | None, today: date, complete: bool | None) -> int | None:
    """Local days since the ship date of an order that is not complete; None when it is not late, or that is not known.

    An order that does not say whether it is complete is not called late.
    """
    day = None if ship is None else ship.day
    if day is None or complete is not False:
        return None
    late = (today - day).days
    return late if late > 0 else None
