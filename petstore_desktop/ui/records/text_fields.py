"""The fields of a form for what a record may hold of any text: a category's description."""

from __future__ import annotations

from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.changes import FieldValue
from petstore_desktop.domain.records import FREE_TEXTS, Key, Resource
from petstore_desktop.ui.text.translate import field_word, tr
from petstore_desktop.ui.widgets.fields import FormField


class TextFields(dict[str, FormField]):
    """By name, filled with what the record `key` has now; None for a new one."""

    def __init__(self, desk: Desk, resource: Resource, key: Key | None = None) -> None:
        table = desk.tables[resource]
        self._before = {name: "" if key is None else table.cell_of(key, name).text for name in FREE_TEXTS[resource]}
        super().__init__({name: FormField(field_word(name), tr("A few words; may be empty.")) for name in self._before})
        for name, text in self._before.items():
            self[name].set_text(text)

    def changed(self) -> dict[str, FieldValue]:
        """The typed text if it differs; spaces instead of nothing count as nothing."""
        now = ((name, field.text(), self._before[name]) for name, field in self.items())
        return {name: text for name, text, before in now if text != before and (before or text.strip())}
