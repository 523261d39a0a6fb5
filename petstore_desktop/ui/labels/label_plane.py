"""The right side of the Labels page: the sheet as high as there is room, which sheet it is, and one label larger."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from petstore_desktop.desk.labels.labels import LabelText
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.labels.label_painter import LabelJob
from petstore_desktop.ui.labels.label_texts import hint_words, page_words
from petstore_desktop.ui.labels.sheet_preview import LabelSample, SheetPreview
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import fill_widget
from petstore_desktop.ui.widgets.scrolled import Scrolling

_EDGE, _GAP, _TOP = 32, 40, 12
_SIDE, _LEAST_SIDE, _MOST_SIDE = 200, 150, 304
_LEAST_PAPER = 150.0
"""Where there is no room for a sheet of this width, the words stand below it, without the larger label."""


class LabelPlane(QWidget):
    """Shows a job."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "labelPlane")
        self._job: LabelJob | None = None
        self._longest: LabelText | None = None
        self.preview = SheetPreview()
        self.preview.setParent(self)
        self.page = named(PlainLabel("", "text", 13, 600), "labelPage")
        back, forth = tr("Previous sheet"), tr("Next sheet")
        self.previous = on_click(Button(back, "icon", "chevron-right"), lambda: self._turn(-1), "labelPrevious")
        self.next = on_click(Button(forth, "icon", "chevron-right"), lambda: self._turn(1), "labelNext")
        rtl, ltr = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
        self.previous.setLayoutDirection(ltr if self.layoutDirection() is rtl else rtl)  # its arrow points back
        self.hint = named(PlainLabel("", "muted", wrap=True), "labelHint")
        self.title = PlainLabel("", "text", 13, 600, wrap=True)
        self.sample = LabelSample()
        words = QWidget()
        in_column(
            words,
            in_row(None, self.page, 8, self.previous, self.next, "stretch"),
            self.hint,
            14,
            self.title,
            self.sample,
            "stretch",
            spacing=8,
        )
        self._side = Scrolling(words)
        self._side.setParent(self)
        self._words = words
        self.preview.turned.connect(self._say)

    def show_job(self, job: LabelJob) -> None:
        """Show these labels; the first one larger, until it is known which name is the longest."""
        self._job = job
        self._longest = job.pets[job.order[0]] if job.order else None
        self.preview.show_job(job)
        self._arrange()

    def show_longest(self, number: int) -> None:
        """Show the label of this pet, whose name is the longest, larger."""
        if self._job is not None:
            self._longest = self._job.pets[number]
            self._show_sample(self._job)

    def _turn(self, by: int) -> None:
        self.preview.turn_to(self.preview.page + by)

    def _say(self) -> None:
        job, page = self._job, self.preview.page
        if job is None:
            return
        pages, roll = job.pages, job.sheet.is_roll
        here = sum(1 for _ in job.sheet.on_page(page, len(job.order), job.start))
        after = len(job.order) - min(len(job.order), (page + 1) * job.sheet.per_page - job.start)
        self.page.set_text(page_words(page, pages, roll=roll) if pages else "")
        for button, there in ((self.previous, page > 0), (self.next, page + 1 < pages)):
            button.setEnabled(there)
            button.setVisible(pages > 0)
        if not pages:
            self.hint.set_text(tr("Select pets in the Pets or Inventory list, then press Ctrl+L."))
        else:
            self.hint.set_text("" if roll else hint_words(here, after, first=page == 0))

    # -- arranging

    def _arrange(self) -> None:
        job = self._job
        if job is None:
            return
        self._say()
        wide, high, theme = self.width() - 2 * _EDGE, self.height() - 2 * _TOP, current()
        side = max(_SIDE, theme.scaled(_LEAST_SIDE))
        paper = min(_LEAST_PAPER, high / job.sheet.height * job.sheet.width)
        beside = wide - _GAP - side >= paper
        room = wide - _GAP - side if beside else wide
        larger = beside and not job.sheet.is_roll and self._longest is not None
        self.title.setVisible(larger)
        self.sample.setVisible(larger)
        below = 0 if beside else self._words.heightForWidth(max(1, room)) + 8
        self._place(self.preview, QRect(_EDGE, _TOP, max(80, room), max(100, high - below)))
        used = round(self.preview.paper_rect().width()) + 2
        self._place(self.preview, QRect(_EDGE, _TOP, used, max(100, high - below)))
        if beside:
            left = _EDGE + used + _GAP
            self._place(self._side, QRect(left, _TOP, min(wide + _EDGE - left, theme.scaled(_MOST_SIDE)), high))
        else:
            self._place(self._side, QRect(_EDGE, _TOP + high - below + 8, max(80, room), below - 8))
        self._show_sample(job)

    def _place(self, widget: QWidget, rect: QRect) -> None:
        widget.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), rect))

    def _show_sample(self, job: LabelJob) -> None:
        twice = 2 * self.preview.scale()
        self.sample.show_label(job, self._longest, twice)
        whole = self.sample.scale() >= twice - 0.01
        self.title.set_text(tr("The longest name, twice as large") if whole else tr("The longest name"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: object) -> None:
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_widget(self, "chrome")

    def tab_stops(self) -> list[QWidget]:
        """What takes the keyboard, in order."""
        return [self.preview, self.previous, self.next]
