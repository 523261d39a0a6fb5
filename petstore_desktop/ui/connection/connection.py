"""The present connection's settings, its colour among them. Saving reopens the shop with its state. The demo shop has
only the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget
from shiboken6 import isValid

from petstore_desktop.contract.operations import PARAMETER
from petstore_desktop.domain.commands import UseKey
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import ConnectionSettings
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.connection.connect_parts import (
    KeyFields,
    PlanFields,
    ValueFields,
    ca_file_field,
    document_field,
)
from petstore_desktop.ui.connection.forget import ForgetDialog
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, CheckBox
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog
from petstore_desktop.ui.widgets.labels import PaintedButton, PlainLabel, set_tip
from petstore_desktop.ui.widgets.paint import Brush, draw_icon, fill_round

if TYPE_CHECKING:
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.ports import ShopsPort


SWATCHES: tuple[tuple[str, Callable[[], str]], ...] = (
    ("", lambda: tr("No colour")),
    ("#4A7DE0", lambda: tr("Blue")),
    ("#1F8F8A", lambda: tr("Teal")),
    ("#3F9150", lambda: tr("Green")),
    ("#83862A", lambda: tr("Olive")),
    ("#B87A14", lambda: tr("Amber")),
    ("#CE5F3B", lambda: tr("Rust")),
    ("#D15A86", lambda: tr("Rose")),
    ("#9168D8", lambda: tr("Violet")),
    ("#74808E", lambda: tr("Slate")),
)
"""Each at least 3:1 against every plane that it stands on, light and dark (WCAG 2.2, 1.4.11)."""
_SIDE, _MARK = 28, 16


class _Swatch(PaintedButton):
    """One colour, or none."""

    ring, keys = 6, ()

    def __init__(self, colour: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.colour = colour
        self.setCheckable(True)
        self.setAccessibleName(to_say(name))
        set_tip(self, name)
        side = current().scaled(_SIDE)
        self.setFixedSize(QSize(side, side))

    def draw(self, brush: Brush) -> None:
        theme, painter, side = brush.theme, brush.painter, brush.theme.scaled(_MARK)
        mark = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        if self.isChecked():
            brush.panel(theme.color("filtered"), 6)
        if self.colour:
            fill_round(painter, mark, 4, QColor(self.colour))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(theme.color("control"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(mark, 4, 4)
        if self.isChecked():
            tone = QColor("#FFFFFF") if self.colour else theme.color("text")
            draw_icon(painter, "check", mark.x() + 1, mark.y() + 1, tone, side - 2)


class SwatchField(QWidget):
    """A label, the swatches, and the name of the chosen one. The arrow keys walk, as in any group of choices."""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(to_say(label))
        self._group = QButtonGroup(self)
        self._swatches: list[_Swatch] = []
        self._name = PlainLabel("", "muted", 12)
        self._row = in_row(None, 8, (self._name, 1))
        for colour, name in SWATCHES:
            self._add(_Swatch(colour, name(), self))
        in_column(self, PlainLabel(label), self._row, spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._group.buttonClicked.connect(self._chosen)
        self.set_value("")

    def _add(self, swatch: _Swatch) -> None:
        self._group.addButton(swatch)
        self._row.insertWidget(len(self._swatches), swatch)
        self._swatches.append(swatch)

    def value(self) -> str:
        """The chosen colour, `#RRGGBB`; empty for none."""
        return next((swatch.colour for swatch in self._swatches if swatch.isChecked()), "")

    def set_value(self, colour: str) -> None:
        """Choose this one; one that is not offered gets a swatch of its own."""
        if all(swatch.colour != colour for swatch in self._swatches):
            self._add(_Swatch(colour, colour, self))
        for swatch in self._swatches:
            if swatch.colour == colour:
                swatch.setChecked(True)
                self._name.set_text(swatch.accessibleName())

    def _chosen(self, swatch: QAbstractButton) -> None:
        self._name.set_text(swatch.accessibleName())


class ConnectionDialog(FormDialog):
    """The fields of a connection with what they hold now. The key is not shown: an empty field leaves it as it is.

    Signals:
        operationsWanted: the button for the service's operations was pressed.
    """

    operationsWanted = Signal()

    def __init__(self, port: ShopsPort, shop: LiveShop, parent: QWidget | None = None) -> None:
        words = tr("The shop reopens with the new settings. Unsent changes are kept.")
        super().__init__(tr("Connection settings"), words, parent, name="connectionDialog")
        self._port, self._connection, self._contract = port, shop.connection, shop.desk.contract
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
        return {name.removeprefix(PARAMETER): str(value) for name, value in self._connection.bindings.items()}

    def _fill(self) -> None:
        connection = self._connection
        self.url.set_text(connection.url)
        self.name.set_text(connection.name)
        self.colour.set_value(connection.colour or "")
        self.plan.set_plan(connection.limits)
        self.document.set_text(connection.document or "")
        self.ca_file.set_text(connection.ca_file or "")
        self.read_only.setChecked(connection.read_only)

    def _buttons(self) -> QHBoxLayout:
        operations = on_click(Button(tr("Operations…")), self.operationsWanted, "operationsButton")
        forget = on_click(Button(tr("Forget this shop…")), self._ask_forget, "forgetButton")
        return in_row(None, operations, forget, "stretch", spacing=8)

    def _ask_forget(self) -> None:
        window = self.parentWidget()
        self.reject()
        show(ForgetDialog(self._port, self._connection, window))

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
        settings, keys, connection = self.settings(), self.keys.keys(), self._connection
        if not (self.keys.check() and self.values.check()) or settings is None:
            return
        own = (connection.colour or "", connection.document or "", connection.ca_file or "", connection.read_only)
        if settings == ConnectionSettings(connection.name, connection.limits, *own) and keys == UseKey(""):
            super().accept()
            return
        self.button.setEnabled(False)
        self._port.change(connection.slug, settings, keys, self._kept)

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
        self.plan.set_plan(shop.connection.limits)
        self.lay_out(self.plan, accept=tr("Save"))

    def accept(self) -> None:
        plan = self.plan.plan()
        if plan is not None:
            self._shop.use_plan(plan)
            super().accept()
