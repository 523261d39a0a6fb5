"""What sending costs, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from petstore_desktop.domain.changes import Create, Delete, NewChange
from petstore_desktop.domain.checks import MOST_REQUESTS
from petstore_desktop.ui.text.times import about, moment
from petstore_desktop.ui.text.translate import counted, counted_changes, number, tr
from petstore_desktop.ui.text.waits import wait_words

if TYPE_CHECKING:
    from petstore_desktop.domain.batches import Price

_A_MOMENT_S = 10.0
"""Seconds below which the time is not shown."""


def counted_requests(n: int) -> str:
    """A number of requests in words."""
    return tr("{n} requests", "", n, one="{n} request") if n > 0 else tr("no request")


def check_cost() -> str:
    """What checking a connection costs at most."""
    return tr("up to {n} requests", "", MOST_REQUESTS)


def cost_words(price: Price, now: float) -> tuple[str, ...]:
    """The duration, and the day's rest; only the known and relevant parts."""
    parts: list[str] = []
    if price.days and price.seconds is not None:
        parts.append(tr("done {moment}", moment=moment(now + price.seconds, now)))
    elif price.seconds is not None and price.seconds >= _A_MOMENT_S:
        parts.append(about(price.seconds))
    if price.hold is not None and price.requests + price.ahead > 0:
        parts.append(wait_words(price.hold.by, price.hold.until, now))
    if price.leaves_of_day is not None and price.day_limit is not None:
        left, limit = number(price.leaves_of_day), number(price.day_limit)
        own = tr("leaves ≈ {left} of {limit} today", left=left, limit=limit)
        parts.append(own if price.own_count else tr("leaves {left} of {limit} today", left=left, limit=limit))
    return tuple(parts)


def selection_cost_words(price: Price) -> str:
    """What an edit of all that is selected costs: `Editing these costs 40 requests, about 1 min`."""
    words = tr("Editing these costs {requests}", requests=counted_requests(price.requests))
    if price.seconds is None or price.seconds < _A_MOMENT_S:
        return words
    return tr("{words}, {time}", words=words, time=about(price.seconds))


def waiting_cost_words(price: Price, now: float) -> str:
    """The cost of unsent changes: `34 requests, about 2 min, leaves 912 of 1,000 today`; empty if they cost nothing."""
    if price.ahead <= 0:
        return ""
    return tr(", ", "between parts of a line").join((counted_requests(price.ahead), *cost_words(price, now)))


def batch_title(changes: Sequence[NewChange]) -> tuple[str, str]:
    """The act and its number, as a title and on a button; of no changes: an undo."""
    if not changes:
        return tr("Undo these changes"), tr("Undo")
    refs = {change.ref for change in changes}
    kinds = {type(change.intent) if isinstance(change.intent, Create | Delete) else None for change in changes}
    resources = {ref.resource for ref in refs}
    n = len(refs)
    if len(kinds) > 1 or len(resources) > 1:
        return tr("Send {changes}", changes=counted_changes(len(changes))), tr("Send {n}", "", len(changes))
    kind, things = kinds.pop(), counted(resources.pop(), n)
    if kind is Create:
        return tr("Add {things}", things=things), tr("Add {n}", "", n)
    if kind is Delete:
        return tr("Delete {things}", things=things), tr("Delete {n}", "", n)
    return tr("Change {things}", things=things), tr("Change {n}", "", n)


def much_words(price: Price) -> str:
    """Why a batch is asked about."""
    if price.days:
        return tr(
            "Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself on "
            "the next {n} days.",
            "",
            price.days,
            one="Today’s requests are not enough for this. The rest is saved on this computer, and goes out by itself "
            "on the next day.",
        )
    return tr("This takes more than half of the requests that are left for today.")
