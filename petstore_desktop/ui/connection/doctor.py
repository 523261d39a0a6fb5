"""Checks the open connection and shows its problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.checks import About, Check, CheckReport
from petstore_desktop.ui.base.building import add, named
from petstore_desktop.ui.base.lifetime import Life
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.connection.check_list import CheckList
from petstore_desktop.ui.connection.check_texts import support_words, took_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports import ShopPort

_EXPECTED = tuple(about for about in About if about is not About.PROXY)


class DoctorDialog(Dialog):
    """The checks as they are finished. It begins by itself; Esc stops what runs, then closes."""

    def __init__(self, shop: ShopPort, parent: QWidget | None = None) -> None:
        name = isolate(plain(shop.profile.name))
        title = tr("Check the connection to {shop}", shop=name)
        super().__init__(title, "", parent, name="doctorDialog", width=600, spacing=16)
        self._shop = shop
        self._life = Life(self)
        self._run = 0
        self._report: CheckReport | None = None
        self.list = CheckList(_EXPECTED)
        self.took = named(PlainLabel("", "muted", 12), "requestsTaken")
        add(self.body, 4, self.list, self.took, "stretch")
        self.copy = named(self.add_button(tr("Copy for support")), "copyReport")
        self.copy.clicked.connect(self._copy)
        self.again = named(self.add_button(tr("Check again"), price=tr("up to 6 requests")), "checkAgain")
        self.again.clicked.connect(self._press)
        self.set_primary(tr("Close"))
        self.check()

    def check(self) -> None:
        """Begin the check, or repeat it."""
        self._run += 1
        run = self._run
        self._report = None
        self.list.clear()
        self.set_consequence(tr("Reads a little of each list and changes nothing."))
        self.took.set_text(tr("Asking the service…"))
        self._name(running=True)
        self._life.at_end = lambda: None  # what ends at once must find it running
        stop = self._shop.check(lambda check: self._told(run, check), lambda report: self._checked(run, report))
        if self._life.at_end is not None:
            self._life.at_end = stop

    def reject(self) -> None:
        """What runs is stopped first."""
        if self._life.at_end is not None:
            self._stop_checks()
        else:
            super().reject()

    def accept(self) -> None:
        self._end()
        super().accept()

    def _press(self) -> None:
        if self._life.at_end is not None:
            self._stop_checks()
        else:
            self.check()

    def _end(self) -> None:
        stop, self._life.at_end = self._life.at_end, None
        if stop is not None:
            self._run += 1
            stop()

    def _stop_checks(self) -> None:
        self._end()
        self.took.set_text(tr("Stopped."))
        self._name(running=False)

    def _told(self, run: int, check: Check) -> None:
        if not self._life.over and run == self._run:
            self.list.add(check)
            self.adjustSize()

    def _checked(self, run: int, report: CheckReport) -> None:
        if self._life.over or run != self._run:
            return
        self._life.at_end, self._report = None, report
        for check in report.checks:
            self.list.add(check)
        wrong = sum(check.ok is False for check in report.checks)
        if wrong:
            self.set_consequence(tr("{n} problems found.", "", wrong, one="One problem found."))
        else:
            self.set_consequence(tr("No problems found."))
        self.took.set_text(took_words(report))
        self._name(running=False)
        self.adjustSize()

    def _name(self, *, running: bool) -> None:
        self.again.set_text(tr("Stop") if running else tr("Check again"))
        self.again.set_price("" if running else tr("up to 6 requests"))
        self.copy.setEnabled(self._report is not None)

    def _copy(self) -> None:
        if self._report is not None:
            profile = self._shop.profile
            QGuiApplication.clipboard().setText(support_words(profile.name, profile.url, self._report))
