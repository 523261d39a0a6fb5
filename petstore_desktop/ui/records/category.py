"""A new category, or the change of one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import FieldValue, Ref, Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.records.form_drafts import Field
from petstore_desktop.ui.records.text_fields import TextFields
from petstore_desktop.ui.text.changes.undo import stays_words
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog

Apply = Callable[[tuple[NewChange, ...]], None]


class CategoryDialog(FormDialog):
    """Name and description; `ref` None makes a new one."""

    def __init__(self, desk: Desk, ref: Ref | None, apply: Apply, parent: QWidget | None = None) -> None:
        title = tr("New category") if ref is None else tr("Edit {name}", name=plain(desk.title(ref)))
        what = tr("Saved at once, then sent: 1 request.")
        words = stays_words(desk, Resource.CATEGORIES, what) if ref is None else what
        super().__init__(title, words, parent, name="categoryDialog")
        self._desk, self._ref, self._apply = desk, ref, apply
        self.name = FormField(tr("Name"))
        self.texts = TextFields(desk, Resource.CATEGORIES, None if ref is None else ref.key)
        if ref is not None:
            self.name.set_text(desk.tables[Resource.CATEGORIES].cell_of(ref.key, "name").text)
        self.lay_out(self.name, *self.texts.values(), accept=tr("Add category") if ref is None else tr("Save"))

    def fields(self) -> dict[str, Field]:
        """What a person fills in."""
        return {"name": self.name, **self.texts}

    def accept(self) -> None:
        made = self._made()
        if isinstance(made, BadInput):
            self.say_wrong(bad_input_words(made.code))
            return
        self._apply(made)
        super().accept()

    def _made(self) -> tuple[NewChange, ...] | BadInput:
        fields: dict[str, FieldValue] = {"name": self.name.text(), **self.texts.changed()}
        if self._ref is None:
            change = self._desk.acts.create(Resource.CATEGORIES, fields)
            return change if isinstance(change, BadInput) else (change,)
        return self._desk.acts.set_fields((self._ref,), fields)
