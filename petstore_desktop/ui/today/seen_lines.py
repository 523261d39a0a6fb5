"""Lines of the side column of Today: a record, its value then and now, and who changed it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.desk.changes.change_lines import value_cell
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.seen_changes import What
from petstore_desktop.ui.base.building import add, in_row, named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.cell_text import value_text
from petstore_desktop.ui.text.changes.seen import record_words, value_pair, what_words, who_word
from petstore_desktop.ui.text.translate import listed, number, tr
from petstore_desktop.ui.today.section import PAD, SIDE_LINE, STOP, Line, LineButton, TodaySection, wide
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel
from petstore_desktop.ui.widgets.paint import Brush, elided

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.domain.records import FieldValue
    from petstore_desktop.domain.seen_changes import SeenChange

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
