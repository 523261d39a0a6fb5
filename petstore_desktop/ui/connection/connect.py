"""Connecting a shop: address, key, name, and what few need; checked, with the checks shown as they go, before it is
kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from petstore_desktop.desk.values.typed_values import completed, problem
from petstore_desktop.domain.checks import About, Check, CheckReport, ConnectionInput
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import in_column
from petstore_desktop.ui.connection.check_list import RunningCheck
from petstore_desktop.ui.connection.connect_parts import NOT_KNOWN, FindingsPanel, KeyFields, MoreFields, ValueFields
from petstore_desktop.ui.text.errors.errors import bad_input_words, error_words
from petstore_desktop.ui.text.prices import check_cost
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.fields import FormField

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports import WelcomePort
    from petstore_desktop.ui.widgets.form import Field


class ConnectForm(QWidget):
    """The fields, the check, and what it found. Asks the service only when told to.

    Signals:
        connected: object: the connection is kept and opens.
        resized: object: it needs another height.
    """

    connected = Signal(object)
    resized = Signal(object)

    def __init__(
        self, port: WelcomePort, button: Button, parent: QWidget | None = None, *, findings_apart: bool = False
    ) -> None:
        """`button` stands elsewhere; it tests, stops, and connects. `findings_apart`: what is found does too, below
        the button, which stays where it is under the pointer."""
        super().__init__(parent)
        self._port = port
        self._check = RunningCheck(self)
        self._report: CheckReport | None = None
        """The check's result for the present contents of the fields."""
        note = tr("See the service’s documentation; it often ends in /v1.")
        example = "https://shop.example/api"
        self.url = FormField(tr("Address of the service"), note, placeholder=example, name="urlField")
        self.name = FormField(tr("Name of the shop"), placeholder=tr("as in the address"), name="nameField")
        kept = tr("Kept in this computer’s keyring if it has one, never in a file.")
        self.keys = KeyFields(kept)
        self.key = self.keys.main
        self.values = ValueFields()
        self.more = MoreFields()
        self.plan = self.more.plan
        self.findings = FindingsPanel()
        self.button = button
        button.setObjectName("connectButton")
        button.clicked.connect(self.press)
        self._name_button()
        below = () if findings_apart else (self.findings,)
        self.findings.keeps_room = not findings_apart
        in_column(self, self.url, self.keys, self.values, self.name, self.more, *below, spacing=10)
        self.url.keep_room(2)
        self.url.changed.connect(self._look_at_address)
        self.keys.edited.connect(self._changed)
        self.values.edited.connect(self._changed)
        self.more.edited.connect(self._changed)
        for field in (self.url, self.more.ca_file):
            field.edit.textChanged.connect(self._changed)
        self.findings.moved.connect(self._use_found)
        self.findings.saved.connect(self._connect)
        self.more.turned.connect(self.resized)

    def fields(self) -> dict[str, Field]:
        """What a person fills in, without the key: that is kept in the keyring alone."""
        plan, more = self.plan, self.more
        own: dict[str, Field] = {"url": self.url, "name": self.name, "plan": plan.choice, "minute": plan.minute}
        return {**own, "day": plan.day, "built": more.built_with, "document": more.document, "ca": more.ca_file}

    @property
    def busy(self) -> bool:
        """Whether a check runs."""
        return self._check.runs

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.busy:
            self.stop()
        else:
            super().keyPressEvent(event)

    # -- while it is typed

    def _look_at_address(self, text: str) -> None:
        wrong = problem(text, typing=True)
        self.url.set_error(bad_input_words(wrong) if wrong else "")

    def _changed(self) -> None:
        """The fields have changed: the finding no longer applies."""
        if self.busy or self._report is None:
            return
        self._report = None
        self.findings.clear()
        self._name_button()
        self.resized.emit(None)

    def _is_filled(self) -> bool:
        url = completed(self.url.text())
        if url != self.url.text():
            self.url.set_text(url)
        wrong = problem(url)
        words = bad_input_words(wrong) if wrong else ""
        self.url.set_error(words if url else tr("Enter an address."))
        can_send = self.keys.check() and self.values.check()
        if not self.plan.check():
            self.more.open(True)
            return False
        return bool(url) and not words and can_send

    # -- the check

    def press(self) -> None:
        """Test, stop the test, or connect the tested address."""
        if self.busy:
            self.stop()
        elif self._report is not None and self._report.usable:
            self._connect()
        else:
            self.test()

    def enter(self) -> None:
        """Enter in a field tests and connects; only Esc and the button stop a test."""
        if not self.busy:
            self.press()

    def test(self) -> None:
        """Check it; keep it at once if there is nothing that a person should see first."""
        if self.busy or not self._is_filled():
            return
        self._report = None
        self.findings.begin()
        self._check.begin(partial(self._port.check, self._inputs()), self._told, self._checked)
        self._name_button()
        self.resized.emit(None)

    def stop(self) -> None:
        """Stop the check; requests already sent are not recalled."""
        self._check.stop()
        self.findings.line.clear()
        self.findings.say(tr("Stopped. Nothing was saved."))
        self._name_button()
        self.resized.emit(None)

    def _told(self, check: Check) -> None:
        self.findings.add(check)
        self.resized.emit(None)

    def _checked(self, report: CheckReport) -> None:
        self._report = report
        self.keys.show_keys(report.keys)
        self._ask_values(report)
        self.findings.show_report(report)
        if report.ok and _is_whole(report):
            self._connect()
        self._name_button()
        self.resized.emit(None)

    def _ask_values(self, report: CheckReport) -> None:
        """Ask for what the service's document demands; where that was not read, for what was asked before."""
        document = report.of(About.DOCUMENT)
        if report.values or (document is not None and document.ok):
            self.values.show_values(report.values, {})
        empty = self.keys.first_empty() if len(report.keys) > 1 else None
        empty = empty or self.values.first_empty()
        if empty is not None and not report.usable:
            empty.setFocus(Qt.FocusReason.OtherFocusReason)

    def _use_found(self) -> None:
        if self._report is not None and self._report.instead:
            self.url.set_text(self._report.instead)
            self.button.setFocus()
            self.test()

    def _connect(self) -> None:
        self.button.setEnabled(False)
        self._port.connect(self._inputs(), self._kept)

    def _kept(self, error: ShopError | None) -> None:
        if not isValid(self):  # it went with its window meanwhile
            return
        self.button.setEnabled(True)
        if error is not None:
            self.findings.say_wrong(error_words(error).sentence)
            self.resized.emit(None)
            return
        self.keys.clear()
        self.connected.emit(None)

    def _inputs(self) -> ConnectionInput:
        plan, keys = self.plan.plan(), self.keys.keys()
        return ConnectionInput(
            url=self.url.text().strip(),
            key=keys.key,
            further=keys.further,
            values=self.values.values(),
            name=self._chosen_name(),
            plan=None if plan == NOT_KNOWN else plan,
            document=self.more.described_by(),
            ca_file=self.more.ca_file.text().strip(),
        )

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

    def _name_button(self) -> None:
        usable = self._report is not None and self._report.usable
        words = tr("Stop") if self.busy else tr("Connect") if usable else tr("Test and connect")
        self.button.set_text(words)
        self.button.set_price("" if self.busy or usable else check_cost())


def _is_whole(report: CheckReport) -> bool:
    """Whether the service offers everything and all of it is understood, so that there is nothing to read before the
    shop opens."""
    operations = report.of(About.OPERATIONS)
    return (
        operations is not None
        and not operations.params.get("missing")
        and not (report.sample.absent or report.sample.missing)
    )


class ConnectDialog(Dialog):
    """The form as a dialog."""

    def __init__(self, port: WelcomePort, parent: QWidget | None = None) -> None:
        stays = tr("It gets a data folder of its own; this shop stays.")
        super().__init__(tr("Connect another shop"), stays, parent, name="connectDialog", width=440)
        self.set_cancel()
        button = self.set_primary("")
        button.clicked.disconnect(self.accept)
        self.form = ConnectForm(port, button)
        self.body.addWidget(self.form)
        self.form.connected.connect(self._connected)
        self.form.resized.connect(self._fit)
        self.form.url.edit.setFocus()

    def accept(self) -> None:
        self.form.press()

    def reject(self) -> None:
        """Esc stops a check first."""
        if self.form.busy:
            self.form.stop()
        else:
            super().reject()

    def _connected(self) -> None:
        super().accept()

    def _fit(self) -> None:
        QTimer.singleShot(0, self, self._fit_now)  # once all that was shown or hidden has its place

    def _fit_now(self) -> None:
        """As high as the form needs, and what a check has found in view."""
        if self.isVisible():
            self.adjustSize()
            if self.form.findings.isVisible():
                self.bring_into_view(self.form.findings)
