"""Texts of Today: since when, how old the data are, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from petstore_desktop.desk.today.rows import NotCounted
from petstore_desktop.desk.today.standing import Standing
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import isolate
from petstore_desktop.ui.text.loading import goes_on_words
from petstore_desktop.ui.text.orders import untold_open_words
from petstore_desktop.ui.text.times import as_of, clock_time, day, local, moment
from petstore_desktop.ui.text.translate import locale, number, resource_title, tr

_NAMED = 2
"""How many names a line has before it counts the others."""
_PLACE = "\ue000"
"""Stands for the names while the words around them are put together."""
_WEEK = 7
"""From so many days on a weekday alone would be taken for the later one."""


def names_words(names: Sequence[str], others: int | None = None) -> str:
    """`Koi, Lovebird and 2 more`; see `names_parts`."""
    return "".join(names_parts(names, others))


def names_parts(names: Sequence[str], others: int | None = None) -> tuple[str, str]:
    """`Koi, Lovebird` and ` and 2 more`, each name kept apart in its direction; empty without a name. `others`: how
    many are not named, where `names` are not all of them. Names that have commas stand between semicolons."""
    named = tuple(dict.fromkeys(names[:_NAMED]))
    comma = any("," in name for name in named)
    between = tr("; ", "between names that have commas") if comma else tr(", ", "between names")
    listed = between.join(isolate(name) for name in named)
    more = len(names) - _NAMED if others is None else others
    if not listed or more <= 0:
        return listed, ""
    said = (
        tr("{names}; and {n} more", "", more, names=_PLACE)
        if comma
        else tr("{names} and {n} more", "", more, names=_PLACE)
    )
    before, _, after = said.partition(_PLACE)
    return before + listed, after


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


def not_counted_words(reason: NotCounted) -> str:
    """In the place of numbers of lists that are not here whole, or of orders that do not say whether they are open."""
    if not reason.lists:
        return untold_open_words()
    names = tr(", ", "between parts of a line").join(resource_title(one) for one in Resource if one in reason.lists)
    return tr("Not counted, because not all of it is here: {lists}.", lists=names)


def standing_words(standing: Standing, blocked: SendBlock | None, now: float) -> str:
    """The sentence while the shop is not read yet, or has nothing in it; else empty. `blocked`: why nothing leaves."""
    if standing.stage == "loading":
        read = tr("Reading the shop: {done}", done=number(standing.done))
        if standing.total is not None:
            read = tr("Reading the shop: {done} of {total}", done=number(standing.done), total=number(standing.total))
        waits = goes_on_words(blocked, now)
        return tr(" · ", "between parts of a line").join((read, waits)) if waits else read
    if standing.stage == "empty":
        return tr("This shop is empty. Add its first pet under Pets.")
    if standing.stage == "unread":
        return tr("This shop has not been read yet: what is in it is not known.")
    return ""
