"""Checks the open connection and shows its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.checks import About, Check, CheckReport
from petstore_desktop.ui.base.building import add, named, on_click
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.connection.check_list import CheckList, RunningCheck, SampleView, support_words, took_words
from petstore_desktop.ui.text.prices import check_cost
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.shop.live_shop import LiveShop

_EXPECTED = tuple(about for about in About if about not in (About.PROXY, About.TLS))


class DoctorDialog(Dialog):
    """The checks as they are finished. It begins by itself; Esc stops what runs, then closes."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        name = isolate(plain(shop.connection.name))
        title = tr("Check the connection to {shop}", shop=name)
        super().__init__(title, "", parent, name="doctorDialog", width=600, spacing=16)
        self._shop = shop
        self._check = RunningCheck(self)
        self._report: CheckReport | None = None
        self.list = CheckList(_EXPECTED)
        self.took = named(PlainLabel("", "muted", 12), "requestsTaken")
        self.sample = SampleView()
        add(self.body, 4, self.list, self.sample, self.took, "stretch")
        self.copy = self.add_copy(tr("Copy for support"), self._for_support, "copyReport")
        again = self.add_button(tr("Check again"), price=check_cost())
        self.again = on_click(again, self._press, "checkAgain")
        self.set_primary(tr("Close"))
        self.check()

    def check(self) -> None:
        """Begin the check, or repeat it."""
        self._report = None
        self.list.clear()
        self.sample.hide()
        self.set_consequence(tr("Reads a little of each list and changes nothing."))
        self.took.set_text(tr("Asking the service…"))
        self._name(running=True)
        self._check.begin(self._shop.check, self._told, self._checked)

    def reject(self) -> None:
        """What runs is stopped first."""
        if self._check.runs:
            self._stop_checks()
        else:
            super().reject()

    def accept(self) -> None:
        self._check.stop()
        super().accept()

    def _press(self) -> None:
        if self._check.runs:
            self._stop_checks()
        else:
            self.check()

    def _stop_checks(self) -> None:
        self._check.stop()
        self.took.set_text(tr("Stopped."))
        self._name(running=False)

    def _told(self, check: Check) -> None:
        self.list.add(check)
        self.adjustSize()

    def _checked(self, report: CheckReport) -> None:
        self._report = report
        for check in report.checks:
            self.list.add(check)
        wrong = sum(check.ok is False for check in report.checks)
        if wrong:
            self.set_consequence(tr("{n} problems found.", "", wrong, one="One problem found."))
        else:
            self.set_consequence(tr("No problems found."))
        self.sample.show_sample(report.sample)
        self.took.set_text(took_words(report))
        self._name(running=False)
        self.adjustSize()

    def _name(self, *, running: bool) -> None:
        self.again.set_text(tr("Stop") if running else tr("Check again"))
        self.again.set_price("" if running else check_cost())
        self.copy.setEnabled(self._report is not None)

    def _for_support(self) -> str:
        connection, report = self._shop.connection, self._report
        return "" if report is None else support_words(connection.name, connection.url, report)
