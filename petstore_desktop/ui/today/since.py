"""What changed since the person was last here: in one sentence, and record by record in the side column, with the
values then and now, and who changed them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from petstore_desktop.desk.changes.change_lines import value_cell
from petstore_desktop.desk.past import ALL_KINDS, SeenGroup, SeenKind, by_name, first_of_groups
from petstore_desktop.desk.today.standing import standing_of
from petstore_desktop.desk.values.collation import sort_keys
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import FieldValue, Ref, Resource, key_to_text
from petstore_desktop.domain.seen_changes import SeenChange, Span, What
from petstore_desktop.ui.base.building import add, in_row, named
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.cell import value_text
from petstore_desktop.ui.text.changes.seen import (
    kind_title,
    part_words,
    record_words,
    untold_words,
    value_pair,
    what_words,
    who_word,
)
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import listed, number, tr
from petstore_desktop.ui.today.section import PAD, SIDE_LINE, STOP, Line, LineButton, TodaySection, since_words, wide
from petstore_desktop.ui.today.sentence import linked
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, say
from petstore_desktop.ui.widgets.paint import Brush, elided

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.shop.past import PastQuestions
    from petstore_desktop.ui.today.ways import TodayWays


_NAME, _GAP, _ARROW = 182, 8, 14
"""Where the values begin, room on either side of the arrow, and its side."""


class SeenLine(Struct, frozen=True):
    """One change: the record's name, its value `before` ("" for none) and `after`, and who changed it."""

    line: Line
    name: str
    before: str
    after: str
    who: str
    counts: bool = False
    """Whether the values are numbers, which stand below each other by their ends."""

    @classmethod
    def of(cls, shop: ShopModel, change: SeenChange, go: Callable[[Ref], object]) -> SeenLine:
        """The line of a change; it leads to the record."""
        name, who = _name(shop, change), who_word(change.who)
        before, after = _values(shop, change)
        spoken = tr("{name}: {before} → {after}, {who}", name=name, before=before, after=after, who=who)
        if not before:
            spoken = tr("{name}: {after}, {who}", name=name, after=after, who=who)
        place = f"{change.ref.resource.value}.{key_to_text(change.ref.key)}.{change.field}"
        line = Line(f"since.{place}", spoken, lambda: go(change.ref))
        return cls(line, name, before, after, who, change.ref.resource is Resource.INVENTORY)


def _name(shop: ShopModel, change: SeenChange) -> str:
    if change.ref.resource is not Resource.ORDERS or change.what is not What.NEW:
        return record_words(shop, change)
    pet = change.record.get("pet_id")
    if pet is None:
        return record_words(shop, change)
    name = value_text(value_cell(shop, "pet_id", pet))
    return tr("Order {id}, {pet}", id=key_to_text(change.ref.key), pet=name)


def _values(shop: ShopModel, change: SeenChange) -> tuple[str, str]:
    resource, what = change.ref.resource, change.what
    if resource is Resource.ORDERS and what is What.NEW:
        return "", _shipping(shop, change.record.get("quantity"), change.record.get("ship_date"))
    if resource is Resource.INVENTORY or (what is What.CHANGED and change.field in ("status", "complete")):
        return value_pair(shop, change)
    if what is What.CHANGED:
        return "", tr("{field}: {value}", field=what_words(change), value=value_pair(shop, change)[1])
    return "", what_words(change)


def _shipping(shop: ShopModel, quantity: FieldValue, ship_date: FieldValue) -> str:
    count = number(quantity) if isinstance(quantity, int) else ""
    facts = value_cell(shop, "ship_date", ship_date)
    day = "" if ship_date is None else value_text(facts)
    if count and facts.days in (-1, 0, 1):
        day = day[:1].lower() + day[1:]  # `3, tomorrow`
    return listed((count, day))


class SeenButton(LineButton):
    """One change, painted."""

    _seen: SeenLine | None = None
    _before = 0.0

    def show_change(self, seen: SeenLine, before: float) -> None:
        """Show this; `before`: the room of the old values of all lines of its kind."""
        self._seen, self._before = seen, before
        self.set_line(seen.line)
        self.update()

    def paint_line(self, brush: Brush) -> None:
        """Name, values and who."""
        seen, theme = self._seen, brush.theme
        if seen is None:
            return
        end = self.width() - PAD
        end -= brush.ending(end, seen.who, theme.tone("muted"), 12, tnum=False) + _GAP
        values = min(wide(_NAME) + PAD, self.width() / 2)
        brush.text(PAD, elided(theme, seen.name, values - PAD - _GAP), theme.tone("text"))
        x = values
        if self._before:
            side = theme.scaled(_ARROW)
            if seen.counts:
                brush.ending(x + self._before, seen.before, theme.tone("muted"), 12)
            else:
                brush.text(x, seen.before, theme.tone("muted"), 12)
            brush.icon("arrow", x + self._before + _GAP, theme.tone("muted"), side)
            x += self._before + 2 * _GAP + side
        after = elided(theme, seen.after, end - x, 12, 500, True)
        brush.text(x, after, theme.tone("text"), 12, 500, True)


class SeenList(TodaySection):
    """The changes of one kind. `more` leads to those that are not named."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(f"since-{name}", title, SIDE_LINE, 13)
        self.more = named(LinkLabel("", 12), f"{STOP}since.{name}.more")
        self.more.hide()
        add(self.body, in_row(None, self.more, "stretch", margins=(PAD - LINK_PAD, 2, PAD - LINK_PAD, 0)))

    def make(self, line: Line) -> LineButton:
        return SeenButton(line, SIDE_LINE)

    def show_changes(self, seen: Sequence[SeenLine]) -> None:
        """Show these changes; their arrows stand below each other."""
        self.set_lines([one.line for one in seen])
        theme = current()
        before = max((theme.advance(one.before, 12, 400, True) for one in seen), default=0.0)
        for button, one in zip(self.buttons(), seen, strict=True):
            if isinstance(button, SeenButton):
                button.show_change(one, before)

    def stops(self) -> list[QWidget]:
        """Its lines and, where it is shown, the link to the others."""
        return [*super().stops(), *([] if self.more.isHidden() else [self.more])]


_DAY_S = 86_400.0
_BETWEEN = 14
_TURN_S = 0.012
"""Seconds of one turn of counting what changed."""
_SHOWN = dict.fromkeys(ALL_KINDS, 3) | {SeenKind.SOLD: 4, SeenKind.STOCK: 6, SeenKind.OTHER: 4}
"""How many records of each kind are named."""


class SinceThen(Struct, frozen=True):
    """The time since an absence began, as far as it is known. `start`: from when on it is (UTC epoch seconds), None
    before the first absence, or where nothing is known at all; `late`: later than the absence began; `error`: why the
    history cannot be read."""

    start: float | None = None
    late: bool = False
    groups: tuple[SeenGroup, ...] = ()
    error: ShopError | None = None
    untold: frozenset[Resource] = frozenset()
    """The lists of which it is not known what changed in them."""


class SinceReader(QObject):
    """Asks the history what changed since the latest absence began.

    Signals:
        known(): `since` tells something else.
    """

    known = Signal()

    def __init__(self, desk: Desk, past: PastQuestions, since: Callable[[], float | None], parent: QObject) -> None:
        super().__init__(parent)
        self._desk, self._past, self._away = desk, past, since
        self._asked = 0
        self._is_counting = self._again = False
        self._counting = SlicedWork[SinceThen](self, _TURN_S, self._finish)
        self.since: SinceThen | None = None
        """None before the first answer."""

    def ask(self) -> None:
        """Ask anew; `known` follows if the answer is another one. An answer that is being counted comes first."""
        self._again = self._is_counting
        if self._again:
            return
        self._asked += 1
        away, turn = self._away(), self._asked
        if away is None:
            self._take(turn, SinceThen())
        else:
            self._past.span(lambda span: self._spanned(turn, away, span))

    def _spanned(self, turn: int, away: float, span: Span | ShopError) -> None:
        if isinstance(span, ShopError):
            self._take(turn, SinceThen(away, error=span))
        elif span.first is None:
            self._take(turn, SinceThen(None, late=True))
        else:
            start, now = max(away, span.first), self._desk.now()
            since = SinceThen(start, start > away, untold=self._desk.untold(span))
            self._past.changes_between(start, max(start, now), lambda said: self._answered(turn, since, said))

    def _answered(self, turn: int, since: SinceThen, said: Sequence[SeenChange] | ShopError) -> None:
        if isinstance(said, ShopError):
            self._take(turn, SinceThen(since.start, error=said))
        elif isValid(self) and turn == self._asked:
            self._is_counting = True
            self._counting.begin(self._counted(since, said))
            self._counting.go_on()

    def _counted(self, since: SinceThen, said: Sequence[SeenChange]) -> Iterator[SinceThen | None]:
        """Count them in short turns: there may be very many. Only those that can be named are kept."""
        titles = list({change.title for change in said})
        ranks = yield from sort_keys(self._desk.shop.collation, titles)
        for groups in first_of_groups(said, ALL_KINDS, by_name(ranks.__getitem__), max(_SHOWN.values())):
            yield None if groups is None else replace(since, groups=groups)

    def _finish(self, since: SinceThen) -> None:
        self._is_counting = False
        self._take(self._asked, since)
        if self._again:
            self.ask()

    def _take(self, turn: int, since: SinceThen) -> None:
        if isValid(self) and turn == self._asked and since != self.since:
            self.since = since
            self.known.emit()


def headline(since: SinceThen, now: float, read: float | None = None) -> tuple[str, tuple[SeenGroup, ...]]:
    """The sentence with `{0}`, `{1}` ... for the counts, and the groups that these stand for. `read`: when the
    list that is oldest was read."""
    if since.error is not None and since.start is not None:
        return tr("What changed since {time} is not known.", time=since_words(since.start, now)), ()
    if since.start is None:
        return tr("The history begins with the first reading.") if since.late else "", ()
    time = since_words(since.start, now)
    if not since.groups:
        if read is not None and read < since.start and not since.late:
            return tr("The shop has not been read since {time}.", time=time), ()
        if since.untold:
            return tr("No change is known since {time}.", time=time), ()
        late = tr("Nothing changed since {time}, when the history began.", time=time)
        return late if since.late else tr("Nothing changed since {time}.", time=time), ()
    parts = tr(", ", "between parts of a line").join(f"{{{place}}}" for place in range(len(since.groups)))
    return tr("Since {time}: {parts}.", time=time, parts=parts), since.groups


def count_words(group: SeenGroup) -> str:
    """A group as a part of the sentence."""
    n = group.count
    if group.kind is SeenKind.SOLD:
        return tr("{n} pets sold", "", n, one="{n} pet sold")
    if group.kind is SeenKind.PLACED:
        return tr("{n} new orders", "", n, one="{n} new order")
    if group.kind is SeenKind.STOCK:
        return tr("stock of {n} pets changed", "", n, one="stock of {n} pet changed")
    return part_words(group)


def _title(kind: SeenKind) -> str:
    return tr("New orders") if kind is SeenKind.PLACED else kind_title(kind)


class SinceSection(TodaySection):
    """The side column's list: at most a few records of each kind, and the way to all of them."""

    def __init__(self, desk: Desk, reader: SinceReader, ways: TodayWays) -> None:
        super().__init__("since", tr("Since you left"))
        self._desk, self._reader, self._ways = desk, reader, ways
        self.lists = {kind: SeenList(kind.value, _title(kind)) for kind in ALL_KINDS}
        for part in self.lists.values():
            self.body.addWidget(part)
            part.hide()
            part.more.clicked.connect(self._compare)
        self.link.set_text(tr("Compare two days"))
        self.link.setObjectName(f"{STOP}compare")
        self.link.clicked.connect(self._compare)
        self.body.setSpacing(_BETWEEN)

    def refresh(self) -> None:
        """Show what the history has told last."""
        since = self._reader.since
        there = since is not None and since.start is not None
        self.setVisible(there or (since is not None and self._ways.compare is not None))
        self.title.set_text(tr("Since you left") if there else tr("Changes"))
        self.link.setVisible(self._ways.compare is not None)
        if since is None or not there:
            for part in self.lists.values():
                part.hide()
            say(self.empty, tr("What changes while you are away is listed here."))
            return
        groups = {group.kind: group for group in since.groups}
        for kind, part in self.lists.items():
            group = groups.get(kind)
            part.setVisible(group is not None)
            if group is not None:
                self._fill(part, group)
        nothing = untold_words(since.untold) or ("" if groups else tr("Nothing changed"))
        say(self.empty, error_words(since.error).sentence if since.error is not None else nothing)

    def _fill(self, part: SeenList, group: SeenGroup) -> None:
        some = group.changes[: _SHOWN[group.kind]]
        part.set_note(number(group.count))
        part.show_changes([SeenLine.of(self._desk.shop, change, self._ways.record) for change in some])
        left = group.count - len(some)
        say(part.more, tr("{n} more", "", left) if left and self._ways.compare is not None else "")

    def stops(self) -> list[QWidget]:
        """The link at the title, and all lines."""
        return [self.link, *(stop for part in self.lists.values() for stop in part.stops())]

    def sentence(self, since: SinceThen) -> tuple[str, dict[str, Callable[[], object]]]:
        """The words at the top of the page, with where their links lead."""
        words, groups = headline(since, self._desk.now(), standing_of(self._desk).oldest)
        goes: dict[str, Callable[[], object]] = {
            group.kind.value: partial(self._open_kind, group.kind) for group in groups
        }
        return words.format(*(linked(count_words(group)) for group in groups)), goes

    def _open_kind(self, kind: SeenKind) -> None:
        """All changes since then; without a page for them, the first of those that are named here."""
        if self._ways.compare is not None:
            self._compare()
        else:
            self.lists[kind].stops()[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _compare(self) -> None:
        since, now = self._reader.since, self._desk.now()
        if self._ways.compare is not None:
            self._ways.compare(now - _DAY_S if since is None or since.start is None else since.start, now)
