"""Look up one record by its id: where the service has no list, or shows only a part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.values.quantity import parse_id
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog


class LookUpDialog(FormDialog):
    """One field for the id; `look` gets the record that it means."""

    def __init__(self, resource: Resource, look: Callable[[Ref], object], parent: QWidget | None = None) -> None:
        super().__init__(
            _titles()[resource], tr("It is read from the service now, and stays in the list here."), parent
        )
        self.setObjectName("lookUpDialog")
        self._resource, self._look = resource, look
        self.id = FormField(tr("Id of the pet") if resource is Resource.INVENTORY else tr("Id"), placeholder="1234")
        self.id.edit.setObjectName("idField")
        self.id.changed.connect(self._typed)
        self.body.addWidget(self.id)
        self.set_cancel(tr("Cancel"))
        self.set_primary(tr("Look up"), price=tr("1 request"))
        self.id.edit.setFocus()

    def _typed(self) -> None:
        self.id.set_error("")

    def accept(self) -> None:
        number = parse_id(self.id.text())
        if number is None:
            self.id.set_error(tr("This is no id: an id is a whole number."))
            self.id.edit.setFocus()
            return
        super().accept()
        self._look(Ref(self._resource, number))


def _titles() -> Mapping[Resource, str]:
    return {
        Resource.PETS: tr("Look up a pet"),
        Resource.CATEGORIES: tr("Look up a category"),
        Resource.ORDERS: tr("Look up an order"),
        Resource.INVENTORY: tr("Look up the stock of a pet"),
    }
