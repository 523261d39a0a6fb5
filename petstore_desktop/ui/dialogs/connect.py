"""Connecting a shop: name, address, key, plan; tested before it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.dialogs.form import key_error
from petstore_desktop.ui.dialogs.plan import NOT_KNOWN, PlanFields
from petstore_desktop.ui.ports import TestResult
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.words import number, tr
from petstore_desktop.ui.words_errors import error_words

if TYPE_CHECKING:
    from petstore_desktop.ui.dialogs.drafting import Field
    from petstore_desktop.ui.ports import WelcomePort


class ConnectForm(QWidget):
    """The fields, the test, and what it found. Asks the service only when told to.

    Signals:
        connected: object: the connection is kept and opens.
    """

    connected = Signal(object)

    def __init__(self, port: WelcomePort, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._port = port
        self._gone = False
        self.url = FormField(tr("Address of the service"), placeholder="https://shop.example/api")
        self.url.edit.setObjectName("urlField")
        self.name = FormField(tr("Name of the shop"), tr("How it is called in this program."))
        self.name.edit.setObjectName("nameField")
        self.key = FormField(tr("Key"), tr("Kept in this computer’s keyring, never in a file."), password=True)
        self.key.edit.setObjectName("keyField")
        self.plan = PlanFields()
        self.result = PlainLabel("", "muted", 12, wrap=True)
        self.result.setObjectName("testResult")
        self.result.hide()
        self.button = Button(tr("Test and connect"), "plain", price=tr("1 request"))
        self.button.setObjectName("connectButton")
        self.button.clicked.connect(self.test)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for widget in (self.url, self.key, self.name, self.plan, self.result):
            column.addWidget(widget)
        self.destroyed.connect(self._forget)

    def fields(self) -> dict[str, Field]:
        """What a person fills in, without the key: that is kept in the keyring alone."""
        plan = self.plan
        return {"url": self.url, "name": self.name, "plan": plan.choice, "minute": plan.minute, "day": plan.day}

    def _forget(self) -> None:
        self._gone = True

    def test(self) -> None:
        """Ask the service once; if it takes the key, keep the connection."""
        url = self.url.text().strip()
        self.url.set_error("" if url else tr("An address is needed."))
        key = self.key.text().strip()
        wrong = key_error(key)
        self.key.set_error(wrong)
        if not self.plan.check() or not url or wrong:
            return
        self._busy(True)
        self._say(tr("Asking the service…"))
        self._port.test_connection(url, key, self._tested)

    def _tested(self, result: TestResult) -> None:
        if self._gone:
            return
        if result.error is not None:
            self._busy(False)
            self._say(error_words(result.error).sentence, bad=True)
            return
        offered = tr(
            "It answers and offers {n} operations.", "", result.offered, one="It answers and offers {n} operation."
        )
        self._say(offered)
        plan = self.plan.plan()
        said = None if plan == NOT_KNOWN else plan
        self._port.connect(self._chosen_name(), self.url.text().strip(), self.key.text().strip(), said, self._kept)

    def _kept(self, error: ShopError | None) -> None:
        if self._gone:
            return
        self._busy(False)
        if error is not None:
            self._say(error_words(error).sentence, bad=True)
            return
        self.key.edit.clear()
        self.connected.emit(None)

    def _chosen_name(self) -> str:
        typed = self.name.text().strip()
        if typed:
            return typed
        host = self.url.text().strip().partition("://")[2].partition("/")[0]
        taken = set(self._port.connections())
        name, count = host or tr("Shop"), 2
        while name in taken:
            name = f"{host} {number(count)}"
            count += 1
        return name

    def _busy(self, busy: bool) -> None:
        self.button.setEnabled(not busy)

    def _say(self, words: str, bad: bool = False) -> None:
        self.result.set_tone("bad" if bad else "muted")
        self.result.set_text(words)
        self.result.setVisible(bool(words))


class ConnectDialog(Dialog):
    """The form as a dialog."""

    def __init__(self, port: WelcomePort, parent: QWidget | None = None) -> None:
        super().__init__(tr("Connect another shop"), tr("It gets a data folder of its own; this shop stays."), parent)
        self.setObjectName("connectDialog")
        self.form = ConnectForm(port)
        self.body.setContentsMargins(20, 0, 20, 12)
        self.body.addWidget(self.form)
        self.set_divided(False)
        self.set_cancel(tr("Cancel"))
        self.form.button.hide()
        self.form.button = self.set_primary(tr("Test and connect"), price=tr("1 request"))
        self.form.button.setObjectName("connectButton")
        self.form.connected.connect(self._connected)
        self.setMinimumWidth(440)
        self.form.url.edit.setFocus()

    def accept(self) -> None:
        self.form.test()

    def _connected(self) -> None:
        super().accept()
