"""What today's quota went to, and how long the rest of it lasts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from typing import TYPE_CHECKING

from petstore_desktop.desk.changes.requests import KEPT
from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.sync.price.price import Forecast, Outlook, Usage, day_began, lasts_until, usage

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

__all__ = ["Forecast", "Outlook", "Usage", "forecast_of", "usage_of"]


def usage_of(desk: Desk, now: float) -> Usage:
    """The requests of today by who waited for them. What others used is unknown where ours of today are too many to be
    at hand."""
    zone = desk.shop.zone
    midnight = datetime.combine(local_day(now, zone), time(), zone).timestamp()
    sent = tuple(desk.requests)
    used = usage(sent, desk.quota, midnight)
    cut = len(sent) >= KEPT and sent[0].at >= day_began(desk.quota, midnight)
    return replace(used, others=None) if cut else used


def forecast_of(desk: Desk, now: float) -> Forecast:
    """How the day's window will do at the steady pace of the last hour."""
    return lasts_until(desk.quota, tuple(desk.requests), now)
