"""Dialogs that ask for one number.

The least stock that is wanted of the selected pets, or of each pet in a category; and the id of a record to look up,
where the service has no list, or shows only a part of it.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_whole
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, Ref, Resource, id_of_text
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
    """Asks for a minimum in one field; empty is none. `use` gets the result."""

    def __init__(
        self, desk: Desk, refs: tuple[Ref, ...], use: Callable[[int | None], object], parent: QWidget | None = None
    ) -> None:
        consequence = tr("Stock at or below it is marked low. It is kept on this computer only.")
        super().__init__(minimum_title(desk, refs), consequence, parent, name="minimumDialog")
        self._desk, self._use = desk, use
        own = {None if desk.shop.minimums is None else desk.shop.minimums.own(ref) for ref in refs}
        self._differs = len(own) > 1
        first = next(iter(own), None)
        placeholder = tr("different values") if self._differs else tr("none")
        self.least = FormField(tr("Minimum"), placeholder=placeholder, name="minimumField")
        if not self._differs and first is not None:
            self.least.set_text(number(first))
        self.least.set_note(self._note(refs))
        self.least.changed.connect(lambda: self.least.set_error(""))
        self.lay_out(self.least, accept=tr("Set"))
        self.least.edit.selectAll()

    def _note(self, refs: tuple[Ref, ...]) -> str:
        """What holds where the field is left empty."""
        if self._differs:
            return tr("Empty keeps each value. 0 marks only sold-out stock.")
        kept, shop = self._desk.shop.minimums, self._desk.shop
        if kept is None or any(ref.resource is Resource.CATEGORIES for ref in refs):
            return tr("Empty for none. 0 marks only sold-out stock.")
        theirs = {kept.of(-1, lambda _, pet=ref.key: shop.category_of_pet(pet)) for ref in refs}
        least = theirs.pop() if len(theirs) == 1 else None
        if least is None:
            return tr("Empty for the category’s. 0 marks only sold-out stock.")
        return tr("Empty for the category’s: {n}. 0 marks only sold-out stock.", n=number(least))

    def accept(self) -> None:
        text = self.least.text().strip()
        if not text and self._differs:
            super().accept()
            return
        found = parse_whole(text, self._desk.shop.separators) if text else None
        if isinstance(found, BadInput) or (found is not None and found > INT64_MAX):
            self.least.refuse(tr("Enter a whole number, such as 5."))
            return
        super().accept()
        self._use(found)
