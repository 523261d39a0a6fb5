"""File > Report: which days, what it looks like, and where it goes. What happened in these days is asked of the
history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtPrintSupport import QPrinterInfo
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.report.period import Period, PeriodKind, period_of
from petstore_desktop.desk.report.report import Past, first_day_of_totals, known_since, past_of
from petstore_desktop.desk.values.typed_values import days_said
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span
from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.paper.paper_dialog import PagePreview, PaperDialog
from petstore_desktop.ui.paper.sheet import page_layout, sheet_of
from petstore_desktop.ui.report.report_pages import ReportPages, make_report
from petstore_desktop.ui.report.report_texts import period_choices, title_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import MARGIN
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QPageLayout

    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.shop.past import PastQuestions
    from petstore_desktop.ui.context.message import Message
    from petstore_desktop.ui.context.ports import AppPort


Told = Callable[[Past | ShopError], object]


class PastReading:
    """One answer at a time: a new question ends the one under way."""

    def __init__(self, port: PastQuestions) -> None:
        self._port = port
        self._number = 0

    def ask(self, period: Period, zone: tzinfo | None, now: float, told: Told) -> None:
        """Read the past of a period; `now` (UTC epoch seconds) ends one that goes on."""
        self.stop()
        self._port.span(partial(self._spanned, self._number, period, period.moments(zone), now, told))

    def stop(self) -> None:
        """Let answers go that still come."""
        self._number += 1

    def _spanned(
        self,
        number: int,
        period: Period,
        moments: tuple[float, float],
        now: float,
        told: Told,
        span: Span | ShopError,
    ) -> None:
        if number != self._number:
            return
        if isinstance(span, ShopError):
            told(span)
            return
        begin, end = moments[0], min(moments[1], now)
        since = known_since(span, begin, end)
        if since is None:
            told(Past(span, None, None, (), None))
            return

        def changed(changes: Sequence[SeenChange] | ShopError) -> None:
            if number != self._number or isinstance(changes, ShopError):
                self._tell_trouble(number, changes, told)
                return
            done = partial(self._totals, number, period, span, since, changes, told)
            self._port.totals(first_day_of_totals(period), period.last, done)

        self._port.changes_between(since, end, changed)

    def _totals(
        self,
        number: int,
        period: Period,
        span: Span,
        since: float,
        changes: Sequence[SeenChange],
        told: Told,
        days: Sequence[DayTotals] | ShopError,
    ) -> None:
        if number != self._number or isinstance(days, ShopError):
            self._tell_trouble(number, days, told)
            return
        told(past_of(period, span, since, changes, days))

    def _tell_trouble(self, number: int, answer: object, told: Told) -> None:
        if number == self._number and isinstance(answer, ShopError):
            told(answer)


_LAST: Final = "reportPeriod"
"""The preference with the last period."""
_SIZE: Final = (940, 720)
_LEFT: Final = 320


class ReportDialog(PaperDialog):
    """A report of the present moment on some days; made anew when other days are chosen.

    What a person asks for before it is made waits for it.
    """

    def __init__(
        self,
        shop: LiveShop,
        app: AppPort,
        tell: Callable[[Message], object],
        parent: QWidget | None,
        kind: str = "",
    ) -> None:
        super().__init__(tr("Report"), shop, tell, parent, name="reportDialog")
        self._app = app
        self._pages: ReportPages | None = None
        self._then: Callable[[], object] | None = None
        self._past = PastReading(shop.past)
        self._making = SlicedWork[ReportPages](self, 0, self._made)
        self._page_layout = page_layout(0)
        self._lay_out()
        self.days.set_value(kind or app.preference(_LAST) or PeriodKind.THIS_WEEK)
        self.days.box.currentIndexChanged.connect(self._choose_days)
        for day in (self.first, self.last):
            day.edit.editingFinished.connect(self._type_days)
        self._choose_days()

    def _lay_out(self) -> None:
        self.days = ChoiceField(tr("Days"), period_choices(), name="reportDays")
        self.first = FormField(tr("From"), name="reportFirst")
        self.last = FormField(tr("To"), name="reportLast")
        self._two = QWidget()
        in_row(self._two, self.first, self.last, spacing=12)
        self.trouble = named(PlainLabel("", "wait", 12, wrap=True), "reportTrouble")
        self.trouble.hide()
        left = QWidget()
        margins = (MARGIN, 4, MARGIN, 12)
        parts = (self.days, self._two, self.path, self.browse, self.said, self.trouble, self.wrong, "stretch")
        in_column(left, *parts, margins=margins, spacing=12)
        left.setFixedWidth(current().scaled(_LEFT))
        self.preview = PagePreview()
        turn = in_row(None, "stretch", *self._turners(), "stretch", margins=(0, 4, 0, 8), spacing=8)
        right = in_column(None, (self.preview, 1), turn)
        add(self.body, (in_row(None, left, (right, 1)), 1))
        self.add_ways(self.days, self.first, self.last)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Print), self, self.print_or_save)
        self.spread(_SIZE)

    def _turners(self) -> tuple[QWidget, ...]:
        self._where = named(PlainLabel("", "muted", 12), "reportPage")
        self._back = on_click(Button(tr("Previous page"), "quiet"), lambda: self._turn(-1), "previousPage")
        self._forth = on_click(Button(tr("Next page"), "quiet"), lambda: self._turn(1), "nextPage")
        for button in (self._back, self._forth):
            button.setAutoDefault(False)
        self.preview.turned.connect(self._say_page)
        return self._back, self._where, self._forth

    # -- which days

    def _choose_days(self) -> None:
        own = self.days.value() == PeriodKind.DAYS
        self._two.setVisible(own)
        if own and not self.first.text():
            period = period_of(PeriodKind.DAYS, self._shop.desk.today, self._shop.desk.shop.here.first_weekday)
            for field, day in ((self.first, period.first), (self.last, period.last)):
                field.set_text(day.isoformat())
        self._make()

    def _type_days(self) -> None:
        if self.days.value() == PeriodKind.DAYS:
            self._make()

    def period(self) -> Period | None:
        """The chosen days; None where what is typed is none."""
        shop, kind = self._shop.desk.shop, PeriodKind(self.days.value())
        if kind is not PeriodKind.DAYS:
            return period_of(kind, shop.today, shop.here.first_weekday)
        first, last = self._day(self.first, 0), self._day(self.last, 1)
        if first is None or last is None:
            return None
        if last < first:
            self.last.set_error(tr("This is before the first day."))
            return None
        if first > shop.today:
            self.first.set_error(tr("This day is still to come."))
            return None
        return Period(kind, first, last)

    def _day(self, field: FormField, which: int) -> date | None:
        shop = self._shop.desk.shop
        try:
            found = days_said(field.text(), shop.today, shop.here)[which]
        except ValueError:
            field.set_error(tr("Enter a day, such as {example}.", example=shop.today.isoformat()))
            return None
        field.set_error("")
        return found

    # -- making it

    def _make(self) -> None:
        """Read the past of the chosen days, then lay the report out."""
        self._pages = None
        self._making.stop()
        period, desk = self.period(), self._shop.desk
        self.trouble.hide()
        if period is None:
            self._past.stop()
            self._then = None
            self._show(tr("Choose the days first."))
            return
        self.set_title(title_words(period))
        self.set_file(tr("Report"), f"{period.first} - {period.last}")
        self._show(tr("Reading the history…"))
        self._past.ask(period, desk.shop.zone, desk.now(), lambda past: self._read(period, past))

    def _read(self, period: Period, past: Past | ShopError) -> None:
        if isinstance(past, ShopError):
            said = error_words(past).sentence
            self.trouble.set_text(tr("The history cannot be read: the report is made without it. {why}", why=said))
            self.trouble.show()
            past = Past(Span(None, None), None, None, (), None)
        self._show(tr("Laying out the report…"))
        sheet = sheet_of(self._page_layout)
        self._making.begin(make_report(self._shop.desk, self._shop.connection.name, period, past, sheet))

    def _made(self, pages: ReportPages) -> None:
        self._pages = pages
        self._show("")
        then, self._then = self._then, None
        if then is not None:
            then()

    def _show(self, words: str) -> None:
        self.preview.show_document(self._pages, self._page_layout, words)
        self.say()

    def _turn(self, by: int) -> None:
        self.preview.turn_to(self.preview.page + by)

    def _say_page(self) -> None:
        pages, page = 0 if self._pages is None else self._pages.pages, self.preview.page
        words = tr("page {page} of {pages}", page=number(page + 1), pages=number(pages)) if pages else ""
        self._where.set_text(words)
        for button, leads_on in ((self._back, page > 0), (self._forth, page + 1 < pages)):
            if button.hasFocus() and not leads_on:
                self.preview.setFocus()  # else Cancel would get the keyboard
            button.setEnabled(leads_on)

    # -- saving and printing

    def say(self) -> None:
        """How many pages it takes, or how far it is."""
        if self._pages is None:
            self.said.set_text(self.preview.words)
            return
        size = self._page_layout.pageSize().name()
        self.said.set_text(tr("{n} pages, {size}.", "", self._pages.pages, one="{n} page, {size}.", size=size))

    def layout_of_pages(self) -> QPageLayout:
        """Upright."""
        return self._page_layout

    def document(self) -> ReportPages:
        """The report that is shown."""
        if self._pages is None:
            raise RuntimeError("the report is not made yet")
        return self._pages

    def accept(self) -> None:
        """Save the PDF as soon as the report is made."""
        self._app.set_preference(_LAST, self.days.value())
        if self.focusWidget() in (self.first.edit, self.last.edit):
            self._type_days()  # Enter came before the field was left
        self._when_made(super().accept)

    def ask_printer(self) -> None:
        """Ask for a printer as soon as the report is made."""
        self._app.set_preference(_LAST, self.days.value())
        self._when_made(super().ask_printer)

    def _when_made(self, do: Callable[[], object]) -> None:
        if self._pages is not None:
            do()
        elif self.period() is not None:
            self._then = do

    def print_or_save(self) -> None:
        """Ctrl+P: to the printer where there is one; else the next Enter saves the PDF."""
        if QPrinterInfo.availablePrinterNames():
            self.ask_printer()
        else:
            self.focus_save()

    def done(self, result: int) -> None:
        """Nothing goes on once it is closed."""
        self._past.stop()
        self._making.stop()
        super().done(result)
