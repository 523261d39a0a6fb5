"""Sentences of the page that compares two days, and the words of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate

from petstore_desktop.ui.text.changes.seen import (
    kind_title,
    record_id,
    record_words,
    sum_words,
    value_pair,
    what_words,
    who_word,
)
from petstore_desktop.ui.text.times import clock_time, date_text, full_day, local
from petstore_desktop.ui.text.translate import locale, number, tr

if TYPE_CHECKING:
    from collections.abc import Collection

    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.desk.past import SeenGroup
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.domain.seen_changes import SeenChange

_WEEK_DAYS = 6


def said_moment(epoch_s: float, now_s: float) -> str:
    """A moment in a sentence: `Friday 18:00` within the last days, else with its date."""
    then, today = local(epoch_s).date(), local(now_s).date()
    if 0 <= (today - then).days <= _WEEK_DAYS:
        day = locale().toString(QDate(then.year, then.month, then.day), "dddd")
    else:
        day = full_day(then)
    return tr("{day} {time}", day=day, time=clock_time(epoch_s))


def when_words(epoch_s: float, now_s: float) -> str:
    """When a change was seen: `Sat 14 Nov 10:12`, with the year where it is another."""
    then = local(epoch_s).date()
    parts = "ddd MMM" if then.year == local(now_s).year else "ddd MMM yyyy"
    return tr("{day} {time}", day=date_text(then, parts), time=clock_time(epoch_s))


def between_words(change: SeenChange, now_s: float) -> str:
    """Between which two readings a change was made."""
    first, last = when_words(change.seen_after, now_s), when_words(change.seen_by, now_s)
    return tr("Changed between {since} and {time}", since=first, time=last)


def nothing_words(then: float, now: float, here: float, untold: Collection[Resource]) -> str:
    """That nothing changed between two moments; or, where that is not known of each list, that no change is."""
    if untold:
        return tr(
            "No change is known between {then} and {now}.", then=said_moment(then, here), now=said_moment(now, here)
        )
    return tr("Nothing changed between {then} and {now}.", then=said_moment(then, here), now=said_moment(now, here))


def full_name(shop: ShopModel, change: SeenChange) -> str:
    """A record's name with its id: `Koi (#1234)`, `Order 7, 2 Koi`."""
    name, id_ = record_words(shop, change), record_id(change)
    return tr("{name} ({id})", name=name, id=id_) if id_ else name


def spoken_change(shop: ShopModel, change: SeenChange, now_s: float) -> str:
    """A row in one sentence for screen readers."""
    before, after = value_pair(shop, change)
    if before and after:
        value = tr("{what}: from {before} to {after}", what=what_words(change), before=before, after=after)
    else:
        value = tr("{what}: {value}", what=what_words(change), value=before or after)
    name, who, when = full_name(shop, change), who_word(change.who), when_words(change.seen_by, now_s)
    return tr("{record}, {value}, {who}, {when}", record=name, value=value, who=who, when=when)


def spoken_header(group: SeenGroup, folded: bool) -> str:
    """The header of a group for screen readers."""
    title, count = kind_title(group.kind), number(group.count)
    words = tr("{title}, {count}: {sum}", title=title, count=count, sum=sum_words(group))
    return tr("{group}, collapsed", group=words) if folded else tr("{group}, expanded", group=words)


def more_words(left: int) -> str:
    """The row that shows the rest of a group."""
    return tr("{n} more", "", left)


def file_title(then: float, now: float) -> str:
    """The beginning of the name of a file."""
    first, last = local(then).date().isoformat(), local(now).date().isoformat()
    return tr("changes {first} to {last}", "the name of a file", first=first, last=last)


def note_words() -> str:
    """What the comparison cannot know, and what it costs."""
    known = tr("From what this computer has read; what moved and moved back between two readings is not in it.")
    return tr("{known} {cost}", known=known, cost=tr("{n} requests.", "", 0))


def none_fits_words(total: int) -> str:
    """That the filter leaves none of the changes."""
    return tr("None of {n} changes matches.", "", total, one="The one change does not match.")
