"""The fields of a form for what a record may hold of any text: a category's description."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.changes import FieldValue
from petstore_desktop.domain.records import FREE_TEXTS, Key, Ref, Resource
from petstore_desktop.ui.base.theme import isolate, plain, to_say
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.text.translate import field_word, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField


def close_field(field: FormField | ChoiceField, reason: str, shop: str = "") -> None:
    """Let nothing be filled in where the service would not take it, and say why. `reason`: as `Allowed` has it, empty
    where it may be."""
    words = obstacle_words(reason, isolate(plain(shop)) if shop else "")
    if not words:
        return
    field.setEnabled(False)
    field.setToolTip(words)
    (field.box if isinstance(field, ChoiceField) else field.edit).setAccessibleDescription(to_say(words))


def close_refused(desk: Desk, ref: Ref, fields: Mapping[str, FormField | ChoiceField]) -> None:
    """The same for the fields of a record, by the names of their columns."""
    for name, field in fields.items():
        close_field(field, desk.obstacle(COLUMNS_BY_ID[ref.resource][name], ref))


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
