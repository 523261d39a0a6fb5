"""Texts of Today: since when, how old the data are, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from petstore_desktop.desk.today.standing import Standing
from petstore_desktop.ui.base.theme import isolate
from petstore_desktop.ui.text.times import as_of, clock_time, day, local, moment
from petstore_desktop.ui.text.translate import locale, number, tr

_NAMED = 2
"""How many names a line has before it counts the others."""
_WEEK = 7
"""From so many days on a weekday alone would be taken for the later one."""


def names_words(names: Sequence[str], others: int | None = None) -> str:
    """`Koi, Lovebird and 2 more`, each name kept apart in its direction; `others`: how many are not named, where
    `names` are not all of them."""
    listed = tr(", ", "between names").join(isolate(name) for name in dict.fromkeys(names[:_NAMED]))
    more = len(names) - _NAMED if others is None else others
    return tr("{names} and {n} more", "", more, names=listed) if more > 0 else listed


def since_words(since: float, now: float) -> str:
    """When an absence began: `08:10`, `yesterday 18:02`, `Friday 18:02`, `Mon 16 Nov 18:02`."""
    then, today = local(since).date(), local(now).date()
    if today - timedelta(days=1) <= then <= today:
        return moment(since, now)
    near = timedelta(0) < today - then < timedelta(days=_WEEK)
    name = tr("{day} {time}", day=weekday(since), time=clock_time(since))
    return name if near else tr("{day} {time}", day=day(then, today), time=clock_time(since))


def weekday(epoch_s: float) -> str:
    """`Friday`."""
    return locale().dayName(local(epoch_s).isoweekday())


def age_words(standing: Standing, now: float) -> str:
    """How old the oldest list is: `as of 08:58`; or since when nothing answers."""
    if standing.offline is not None:
        return tr("offline since {time}", time=moment(standing.offline, now))
    return as_of(standing.oldest, now)


def standing_words(standing: Standing) -> str:
    """The sentence while the shop is not read yet, or has nothing in it; else empty."""
    if standing.stage == "loading":
        if standing.total is None:
            return tr("Reading the shop: {done}", done=number(standing.done))
        return tr("Reading the shop: {done} of {total}", done=number(standing.done), total=number(standing.total))
    if standing.stage == "empty":
        return tr("This shop is empty. Add its first pet under Pets.")
    return ""
