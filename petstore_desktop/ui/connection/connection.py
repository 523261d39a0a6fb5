"""The present connection's settings. Saving reopens the shop with its state. The demo shop has only the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget
from shiboken6 import isValid

from petstore_desktop.contract.operations import PARAMETER
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import ConnectionSettings
from petstore_desktop.ui.base.building import in_row, named, on_click
from petstore_desktop.ui.connection.connect_parts import KeyFields, ValueFields, ca_file_field, document_field
from petstore_desktop.ui.connection.forget import ForgetDialog
from petstore_desktop.ui.connection.plan import PlanFields
from petstore_desktop.ui.connection.swatches import SwatchField
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.ports import ShopsPort


class ConnectionDialog(FormDialog):
    """The fields of a connection with what they hold now. The key is not shown: an empty field leaves it as it is.

    Signals:
        operationsWanted: the button for the service's operations was pressed.
    """

    operationsWanted = Signal()

    def __init__(self, port: ShopsPort, shop: LiveShop, parent: QWidget | None = None) -> None:
        words = tr("The shop reopens with the new settings. Unsent changes are kept.")
        super().__init__(tr("Connection settings"), words, parent, name="connectionDialog")
        self._port, self._profile, self._contract = port, shop.profile, shop.desk.contract
        self._make_fields()
        self._fill()
        fields = (
            self.keys,
            self.values,
            self.name,
            self.colour,
            self.plan,
            self.document,
            self.ca_file,
            self.read_only,
        )
        note = PlainLabel(tr("Unsent changes stay here until you turn this off."), "muted", 12, wrap=True)
        self.button = self.lay_out(self.url, *fields, note, self._buttons(), "stretch", accept=tr("Save"))
        self.plan.setFocus()

    def _make_fields(self) -> None:
        note = tr("For another address, connect another shop.")
        self.url = FormField(tr("Address of the service"), note, name="urlField")
        self.url.edit.setReadOnly(True)
        self.keys = KeyFields(placeholder=tr("unchanged"))
        self.keys.show_keys(self._contract.keys if self._contract is not None else ())
        self.key = self.keys.main
        self.values = ValueFields()
        self.values.show_values(self._contract.values if self._contract is not None else (), self._known_values())
        self.name = FormField(tr("Name of the shop"), tr("The name in this program."), name="nameField")
        self.colour = named(SwatchField(tr("Colour beside its name")), "colourField")
        self.plan = PlanFields()
        note = tr("A file, an address, or a profile’s name, such as rails. Empty: the one that the service publishes.")
        self.document = document_field(tr("OpenAPI document"), note, tr("as published"))
        note = tr("A file with certificates that are trusted for this shop beside the system’s.")
        self.ca_file = ca_file_field(tr("Certificates"), note, tr("the system’s"))
        read_only = tr("Read-only: send no change to this shop")
        self.read_only = named(CheckBox(read_only), "readOnlyBox", read_only)

    def _known_values(self) -> dict[str, str]:
        """The values for parameters that the connection has."""
        return {name.removeprefix(PARAMETER): str(value) for name, value in self._profile.bindings.items()}

    def _fill(self) -> None:
        profile = self._profile
        self.url.set_text(profile.url)
        self.name.set_text(profile.name)
        self.colour.set_value(profile.colour or "")
        self.plan.set_plan(profile.limits)
        self.document.set_text(profile.document or "")
        self.ca_file.set_text(profile.ca_file or "")
        self.read_only.setChecked(profile.read_only)

    def _buttons(self) -> QHBoxLayout:
        operations = on_click(Button(tr("Operations…")), self.operationsWanted, "operationsButton")
        forget = on_click(Button(tr("Forget this shop…")), self._ask_forget, "forgetButton")
        return in_row(None, operations, forget, "stretch", spacing=8)

    def _ask_forget(self) -> None:
        window = self.parentWidget()
        self.reject()
        show(ForgetDialog(self._port, self._profile, window))

    def settings(self) -> ConnectionSettings | None:
        """What the fields hold; None where that is wrong, which they then say."""
        name, plan = self.name.text().strip(), self.plan.plan()
        self.name.set_error("" if name else tr("Enter a name."))
        if plan is None or not name:
            return None
        document, ca_file = self.document.text().strip(), self.ca_file.text().strip()
        own = (self.colour.value(), document, ca_file, self.read_only.isChecked(), self.values.values())
        return ConnectionSettings(name, plan, *own)

    def accept(self) -> None:
        settings, keys, profile = self.settings(), self.keys.keys(), self._profile
        if not (self.keys.check() and self.values.check()) or settings is None:
            return
        own = (profile.colour or "", profile.document or "", profile.ca_file or "", profile.read_only)
        if settings == ConnectionSettings(profile.name, profile.limits, *own) and keys == UseKey(""):
            super().accept()
            return
        self.button.setEnabled(False)
        self._port.change(profile.slug, settings, keys, self._kept)

    def _kept(self, error: ShopError | None) -> None:
        if not isValid(self):  # it went with its window meanwhile
            return
        self.button.setEnabled(True)
        if error is not None:
            self.say_wrong(error_words(error).sentence)
            return
        self.keys.clear()
        super().accept()


class DemoDialog(FormDialog):
    """What the program is to know of the demo shop's plan: it counts at once, and is forgotten with the window."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        words = tr("Choose the plan that the program counts by. The demo shop keeps the plan it was started with.")
        super().__init__(tr("Connection settings"), words, parent, name="connectionDialog")
        self._shop = shop
        self.plan = PlanFields()
        self.plan.set_plan(shop.profile.limits)
        self.lay_out(self.plan, accept=tr("Save"))

    def accept(self) -> None:
        plan = self.plan.plan()
        if plan is not None:
            self._shop.use_plan(plan)
            super().accept()
