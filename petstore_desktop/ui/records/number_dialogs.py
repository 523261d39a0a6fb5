"""Dialogs that ask for one number.

The least stock that is wanted of the selected pets, or of each pet in a category, and up to which they are ordered; and
the id of a record to look up, where the service has no list, or shows only a part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, cast

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_whole
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.low_stock import StockLevel
from petstore_desktop.domain.records import INT64_MAX, Ref, Resource, ServiceId, id_of_text
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.text.views import minimum_title
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog


class LookUpDialog(FormDialog):
    """One field for the id; `look` gets the record that it means; `texts`: ids need not be numbers."""

    def __init__(
        self, resource: Resource, look: Callable[[Ref], object], parent: QWidget | None = None, *, texts: bool = False
    ) -> None:
        titles = {
            Resource.PETS: tr("Look up a pet"),
            Resource.CATEGORIES: tr("Look up a category"),
            Resource.ORDERS: tr("Look up an order"),
            Resource.INVENTORY: tr("Look up the stock of a pet"),
        }
        what = tr("It is read from the service now, and stays in the list here.")
        super().__init__(titles[resource], what, parent, name="lookUpDialog")
        self._resource, self._look, self._texts = resource, look, texts
        label = tr("Id of the pet") if resource is Resource.INVENTORY else tr("Id")
        self.id = FormField(label, placeholder="1234", name="idField")
        self.id.changed.connect(lambda: self.id.set_error(""))
        self.lay_out(self.id, accept=tr("Look up"), price=tr("1 request"))

    def accept(self) -> None:
        typed = self.id.text()
        number = parse_id(typed)
        written = id_of_text(typed.strip().removeprefix("#")) if self._texts else None
        if number is None or (written is not None and typed.strip().startswith("0")):  # 007 is another id than 7
            number = written
        if number is None:
            self.id.refuse(tr("Enter an id.") if self._texts else tr("Enter a whole number as the id."))
            return
        super().accept()
        self._look(Ref(self._resource, number))


class MinimumDialog(FormDialog):
    """Asks for a minimum and for up to which stock is ordered; an empty field is none, or where the records differ,
    each keeps its own. `use` gets the result of each record."""

    def __init__(
        self,
        desk: Desk,
        refs: tuple[Ref, ...],
        use: Callable[[Mapping[Ref, StockLevel]], object],
        parent: QWidget | None = None,
    ) -> None:
        consequence = tr("Stock at or below the minimum is marked low. Both are kept on this computer only.")
        super().__init__(minimum_title(desk, refs), consequence, parent, name="minimumDialog")
        kept = desk.shop.minimums
        self._desk, self._use = desk, use
        self._own = {ref: StockLevel() if kept is None else kept.own(ref) for ref in refs}
        self.least, self._least_differs = _level_field(
            tr("Minimum"), "minimumField", {own.minimum for own in self._own.values()}
        )
        self.up_to, self._up_to_differs = _level_field(
            tr("Order up to"), "orderUpToField", {own.up_to for own in self._own.values()}
        )
        self.least.set_note(self._least_note())
        self.up_to.set_note(self._up_to_note())
        self.lay_out(self.least, self.up_to, accept=tr("Set"))
        self.least.edit.selectAll()

    def _of_category(self, kind: Literal["minimum", "up_to"]) -> int | None:
        """What holds for each of these pets where their own field is empty; None where that is nothing, or differs."""
        kept, shop = self._desk.shop.minimums, self._desk.shop
        if kept is None or self._are_categories():
            return None
        theirs = {ref: shop.category_of_pet(ref.key) for ref in self._own}
        levels = kept.categories if kind == "minimum" else kept.categories_up_to
        held = {levels.get(one) if isinstance(one, ServiceId) else None for one in theirs.values()}
        return held.pop() if len(held) == 1 else None

    def _are_categories(self) -> bool:
        return any(ref.resource is Resource.CATEGORIES for ref in self._own)

    def _least_note(self) -> str:
        if self._least_differs:
            return tr("Empty keeps each value. 0 marks only sold-out stock.")
        if self._desk.shop.minimums is None or self._are_categories():
            return tr("Empty for none. 0 marks only sold-out stock.")
        least = self._of_category("minimum")
        if least is None:
            return tr("Empty for the category’s. 0 marks only sold-out stock.")
        return tr("Empty for the category’s: {n}. 0 marks only sold-out stock.", n=number(least))

    def _up_to_note(self) -> str:
        """What the list of what to order counts with, and what holds where the field is left empty."""
        if self._up_to_differs:
            return tr("Empty keeps each value. The column To order counts up to it.")
        up_to = self._of_category("up_to")
        if up_to is None:
            return tr("Empty to order up to the minimum. The column To order counts up to it.")
        return tr("Empty for the category’s: {n}. The column To order counts up to it.", n=number(up_to))

    def accept(self) -> None:
        fields = ((self.least, self._least_differs), (self.up_to, self._up_to_differs))
        typed = [self._typed(field, differs) for field, differs in fields]
        if "refused" in typed:
            return
        least, up_to = typed
        levels = {
            ref: StockLevel(
                own.minimum if least == "kept" else cast("int | None", least),
                own.up_to if up_to == "kept" else cast("int | None", up_to),
            )
            for ref, own in self._own.items()
        }
        if any(one.up_to is not None and one.up_to < (one.minimum or 0) for one in levels.values()):
            self.up_to.refuse(tr("Enter at least the minimum."))
            return
        super().accept()
        if levels != self._own or not (self._least_differs or self._up_to_differs):
            self._use(levels)

    def _typed(self, field: FormField, differs: bool) -> int | Literal["kept", "refused"] | None:
        text = field.text().strip()
        if not text:
            return "kept" if differs else None
        found = parse_whole(text, self._desk.shop.here.separators)
        if isinstance(found, BadInput) or found > INT64_MAX:
            field.refuse(tr("Enter a whole number, such as 5."))
            return "refused"
        return found


def _level_field(label: str, name: str, own: set[int | None]) -> tuple[FormField, bool]:
    """A field with what the records have; and whether they differ."""
    first = next(iter(own), None)
    differs = len(own) > 1
    field = FormField(label, placeholder=tr("different values") if differs else tr("none"), name=name)
    if first is not None and not differs:
        field.set_text(number(first))
    field.changed.connect(lambda: field.set_error(""))
    return field, differs
