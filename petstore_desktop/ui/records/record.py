"""A new category, or the change of one pet or category."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource, key_from_text, key_to_text
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.grid.editing import choices
from petstore_desktop.ui.records.text_fields import TextFields, close_refused
from petstore_desktop.ui.text.changes.undo import stays_words
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.translate import counted, field_word, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.widgets.form import Field


class RecordDialog(FormDialog):
    """The name and texts of a pet or category, and a pet's category and status; what the service does not take is shown
    but cannot be changed. `ref` None makes a new category."""

    def __init__(
        self, desk: Desk, ref: Ref | None, apply: Callable[[tuple[NewChange, ...]], None], parent: QWidget | None = None
    ) -> None:
        title, words = tr("New category"), tr("Saved at once, then sent: 1 request.")
        if ref is None:
            words = stays_words(desk, Resource.CATEGORIES, words)
        else:
            title = tr("Edit {name}", name=plain(desk.title(ref)) or counted(ref.resource, 1))
        is_pet = ref is not None and ref.resource is Resource.PETS
        super().__init__(title, words, parent, name="editPetDialog" if is_pet else "categoryDialog")
        self._desk, self._ref, self._apply = desk, ref, apply
        names = ("category", "status") if is_pet else ()
        self.choices = {name: ChoiceField(field_word(name), choices(desk, name), exact=True) for name in names}
        self.name = FormField(tr("Name"))
        resource = Resource.PETS if is_pet else Resource.CATEGORIES
        self.texts = TextFields(desk, resource, None if ref is None else ref.key)
        if ref is not None:
            self._fill(ref)
            close_refused(desk, ref, {"name": self.name, **self.choices, **self.texts})
        accept = tr("Add category") if ref is None else tr("Save")
        self.lay_out(self.name, *self.choices.values(), *self.texts.values(), accept=accept)

    def _fill(self, ref: Ref) -> None:
        cells = {name: self._desk.tables[ref.resource].cell_of(ref.key, name) for name in ("name", *self.choices)}
        self.name.set_text(cells["name"].text)
        for name, field in self.choices.items():
            linked = cells[name].ref
            field.choose(cells[name].text if name == "status" else "" if linked is None else key_to_text(linked.key))

    def fields(self) -> dict[str, Field]:
        """What a person fills in."""
        return {"name": self.name, **self.choices, **self.texts}

    def accept(self) -> None:
        if self.refuses(self.choices.values()):
            return
        fields: dict[str, FieldValue] = {"name": self.name.text(), **self.texts.changed()}
        chosen = {name: field.value() for name, field in self.choices.items() if field.value()}
        if "category" in chosen and isinstance(key := key_from_text(chosen.pop("category")), int | str | LocalId):
            fields["category_id"] = key
        made = self._made({**fields, **chosen})
        if isinstance(made, BadInput):
            self.say_wrong(bad_input_words(made.code))
            return
        self._apply(made)
        super().accept()

    def _made(self, fields: dict[str, FieldValue]) -> tuple[NewChange, ...] | BadInput:
        if self._ref is not None:
            return self._desk.acts.set_fields((self._ref,), fields)
        change = self._desk.acts.create(Resource.CATEGORIES, fields)
        return change if isinstance(change, BadInput) else (change,)
