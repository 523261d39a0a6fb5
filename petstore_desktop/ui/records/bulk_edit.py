"""The same new values for several records: each field is left as it is, or becomes something; then the preview.

Which records: `selected` in `ui/window/actions/handlers`. What the values come to: `desk/preview`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.preview.preview import CellInput, Preview
from petstore_desktop.desk.values.typed_numbers import parse_quantity
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import add
from petstore_desktop.ui.grid.editing import choices
from petstore_desktop.ui.records.form_drafts import field_text
from petstore_desktop.ui.records.text_fields import close_field
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.localize import day_in_numbers
from petstore_desktop.ui.text.translate import column_title, counted, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog

if TYPE_CHECKING:
    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.desk import Desk

_FIRST: Mapping[Resource, tuple[str, ...]] = {
    Resource.PETS: ("status", "category", "stock"),
    Resource.CATEGORIES: ("description",),
    Resource.ORDERS: ("state", "ship_date"),
    Resource.INVENTORY: (),
}
"""The columns that likeliest get one value for many records: they stand first, and there the keyboard begins."""


class BulkEditDialog(FormDialog):
    """New values for the records `refs`, which are of one kind; `go_on` gets the preview of them."""

    def __init__(
        self,
        desk: Desk,
        shop_name: str,
        refs: tuple[Ref, ...],
        go_on: Callable[[Preview], object],
        parent: QWidget | None = None,
    ) -> None:
        resource = refs[0].resource
        one_order = len(refs) == 1 and resource is Resource.ORDERS
        things = tr("order {id}", id=refs[0].key) if one_order else counted(resource, len(refs))
        what = tr("Nothing is saved yet: a preview comes next.")
        super().__init__(tr("Change {things}", things=things), what, parent, name="bulkEditDialog")
        self._desk, self._shop_name, self._refs, self._go_on = desk, shop_name, refs, go_on
        named = {column.id: column for column in COLUMNS[resource] if column.editable}
        names = dict.fromkeys((*_FIRST[resource], *named))
        self.fields = {name: self._field(resource, named[name]) for name in names}
        add(self.body, *self.fields.values(), self.wrong)
        self.set_cancel()
        self.primary = self.set_primary(tr("Preview"), tr("Enter"))
        self._touched()
        self.focus_field()

    def focus_field(self, column_id: str = "") -> None:
        """Give the keyboard to the field of a column, if something can be typed there, or else to the first one."""
        wanted = [self.fields[column_id]] if column_id in self.fields else []
        field = next((one for one in (*wanted, *self.fields.values()) if one.isEnabled()), None)
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _field(self, resource: Resource, column: Column) -> ChoiceField | FormField:
        label, leave = column_title(resource, column.id), tr("No change")
        if column.choices:
            field = ChoiceField(label, [("", leave), *choices(self._desk, column.choices)], exact=True)
            typed, touched = field.box, field.box.currentIndexChanged
        else:
            field = FormField(label, _NOTES.get(column.kind, lambda: "")(), placeholder=leave)
            typed, touched = field.edit, field.edit.textChanged
        typed.setObjectName(f"bulk-{column.id}")
        touched.connect(self._touched)
        close_field(field, self._desk.obstacle(column, None, resource), self._shop_name)
        return field

    def wanted(self) -> dict[str, str]:
        """The columns that get a new value, with it."""
        return {name: text for name, field in self.fields.items() if (text := field_text(field)).strip()}

    def _touched(self) -> None:
        self.say_wrong("")
        self.primary.setEnabled(bool(self.wanted()))
        for field in self.fields.values():
            if isinstance(field, FormField):
                field.set_error("")

    def accept(self) -> None:
        if self.refuses(self.fields.values()):
            return
        wanted = self.wanted()
        for name, text in wanted.items():
            problem = self._problem(name, text)
            field = self.fields[name]
            if problem and isinstance(field, FormField):
                field.refuse(problem)
                field.edit.selectAll()
                return
        if wanted:
            cell_inputs = (CellInput(ref, name, text) for ref in self._refs for name, text in wanted.items())
            preview = Preview(self._desk, cell_inputs, at_once=False, expected=len(self._refs) * len(wanted))
            preview.source = "bulk"
            super().accept()
            self._go_on(preview)

    def _problem(self, name: str, text: str) -> str:
        """The error of a text for every record; errors for some records show in the preview."""
        kind = next(column.kind for column in COLUMNS[self._refs[0].resource] if column.id == name)
        if kind in ("stock", "number"):
            said = parse_quantity(text, None, self._desk.shop.here.separators)
        elif kind == "date":
            said = self._desk.acts.typed().value(self._refs[0], name, text)
        else:
            return ""
        return bad_input_words(said.code) if isinstance(said, BadInput) else ""


_NOTES: Mapping[str, Callable[[], str]] = {
    "stock": lambda: tr("+12 adds, −3 subtracts, 40 or =40 sets"),
    "number": lambda: tr("+1 adds, −1 subtracts, 2 sets"),
    "date": lambda: tr(
        "A day, such as {example} or tomorrow; the time stays", example=day_in_numbers(date(2026, 12, 24))
    ),
}
