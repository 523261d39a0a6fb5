"""The right side of the Labels page: a sheet of labels true to scale, as high as there is room, with its used
places, on which the first free place can be chosen; which sheet it is, and one label larger, with its measures."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from petstore_desktop.desk.labels.design import MM_PER_INCH
from petstore_desktop.desk.labels.labels import LabelText
from petstore_desktop.desk.labels.sheets import Area
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.colours import BRIGHT, LIGHT
from petstore_desktop.ui.base.theme import current, plain, to_say
from petstore_desktop.ui.labels.label_painter import DPI, LabelJob
from petstore_desktop.ui.labels.label_texts import hint_words, millimetres, page_words
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import Plane, draw_text, is_rtl
from petstore_desktop.ui.widgets.scrolled import Scrolling

_DOTS = DPI / MM_PER_INCH
_MOST_SCALE = 6.0
"""Pixels of a millimetre: a single label of a roll is no larger."""
_FIRST, _LAST = -1_000_000, 1_000_000
_PAGE_KEYS = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1, Qt.Key.Key_Home: _FIRST, Qt.Key.Key_End: _LAST}
_MEASURE = 26


class SheetPreview(QWidget):
    """One sheet. A click, or arrows and Enter, choose where the first label stands; Page Up and Page Down turn sheets.

    Signals:
        startChosen: object: the place, from 0.
        turned(): another sheet is shown.
    """

    startChosen = Signal(object)
    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "labelPreview")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._job: LabelJob | None = None
        self.page = 0
        """Which sheet is shown; the first is 0."""
        self.aimed = 0
        """The place that arrows moved to; Enter begins there."""
        self._picture: QPixmap | None = None

    def show_job(self, job: LabelJob) -> None:
        """Show these labels, on the same sheet as before where there is one."""
        if self._job is None or self._job.start != job.start or self._job.sheet != job.sheet:
            self.aimed = job.start
        self._job, self._picture = job, None
        self.updateGeometry()
        self.turn_to(self.page)

    def turn_to(self, page: int) -> None:
        """Show this sheet, or the nearest that there is."""
        pages = 0 if self._job is None else self._job.pages
        self.page = max(0, min(page, pages - 1))
        self._picture = None
        self.setAccessibleName(to_say(self._said(pages)))
        self.update()
        self.turned.emit()

    def _said(self, pages: int) -> str:
        if self._job is None or not pages:
            return tr("Preview of the labels")
        shown = page_words(self.page, pages, roll=self._job.sheet.is_roll)
        start = tr("starts at label {place}", place=number(self._job.start + 1))
        return tr("Preview: {page}, {start}", page=shown, start=start)

    # -- places

    def scale(self) -> float:
        """Pixels of a millimetre."""
        if self._job is None:
            return 1.0
        sheet = self._job.sheet
        return max(0.1, min((self.height() - 2) / sheet.height, (self.width() - 2) / sheet.width, _MOST_SCALE))

    def paper_rect(self) -> QRectF:
        """Where the paper lies: at the beginning of the widget, in reading direction."""
        if self._job is None:
            return QRectF()
        wide, high = self._job.sheet.width * self.scale(), self._job.sheet.height * self.scale()
        left = self.width() - wide - 1 if is_rtl(self) else 1
        return QRectF(left, 1, wide, high)

    def place_rect(self, place: int) -> QRectF:
        """Where a place of the sheet lies."""
        if self._job is None:
            return QRectF()
        return self._on_screen(self._job.sheet.place(place))

    def _on_screen(self, area: Area) -> QRectF:
        paper, scale = self.paper_rect(), self.scale()
        return QRectF(paper.left() + area.left * scale, paper.top() + area.top * scale,
                      area.width * scale, area.height * scale)  # fmt: skip

    def sizeHint(self) -> QSize:
        """As wide as the paper at the present height."""
        if self._job is None:
            return QSize(200, 240)
        sheet = self._job.sheet
        wide = sheet.width * min(max(1, self.height() - 2) / sheet.height, _MOST_SCALE) + 2
        return QSize(round(wide), 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 100)

    # -- what a person does

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._job is None or self.page or event.button() is not Qt.MouseButton.LeftButton:
            return
        for place in range(self._job.sheet.per_page):
            if self.place_rect(place).contains(event.position()):
                self._choose(place)

    def _choose(self, place: int) -> None:
        self.aimed = place
        self.startChosen.emit(place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y():
            self.turn_to(self.page + (1 if event.angleDelta().y() < 0 else -1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _PAGE_KEYS:
            self.turn_to(self.page + _PAGE_KEYS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and not event.modifiers():
            if not self.page:
                self._choose(self.aimed)
        elif self._job is not None and (step := self._step(key)):
            self._walk(step, self._job)
        else:
            super().keyPressEvent(event)

    def _step(self, key: Qt.Key) -> int:
        """By how many places an arrow goes; paper has its first label at the left, in all languages."""
        across = 0 if self._job is None else self._job.sheet.columns
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -across, Qt.Key.Key_Down: across}
        return steps.get(key, 0)

    def _walk(self, step: int, job: LabelJob) -> None:
        if self.page:
            self.turn_to(0)
        if 0 <= self.aimed + step < job.sheet.per_page:
            self.aimed += step
            self.update()
        announce(self, tr("Label {place}", place=number(self.aimed + 1)))

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current().color("chrome"))
        if self._job is not None:
            self._paint(painter, self._job)
        painter.end()

    def _paint(self, painter: QPainter, job: LabelJob) -> None:
        paper = self.paper_rect()
        painter.drawPixmap(paper.topLeft(), self._painted(job, paper))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(_on_paper("line"), 1))
        painter.drawRect(paper)
        painter.setPen(QPen(_on_paper("accent"), 2))
        if not self.page and job.order:
            painter.drawRoundedRect(self.place_rect(job.start).adjusted(1, 1, -1, -1), 4, 4)
        if self.hasFocus():
            if self.aimed != job.start and not self.page:
                painter.setPen(QPen(_on_paper("accent"), 2, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(self.place_rect(self.aimed).adjusted(1, 1, -1, -1), 4, 4)
            painter.setPen(QPen(current().color("accent"), 2))
            painter.drawRect(paper)

    def _painted(self, job: LabelJob, paper: QRectF) -> QPixmap:
        """The sheet as it looks at this size; painted once."""
        ratio = self.devicePixelRatioF()
        size = (paper.size() * ratio).toSize()
        if self._picture is None or self._picture.size() != size:
            self._picture = self._paint_sheet(job, size)
            self._picture.setDevicePixelRatio(ratio)
        return self._picture

    def _paint_sheet(self, job: LabelJob, size: QSize) -> QPixmap:
        picture = QPixmap(size.expandedTo(QSize(1, 1)))
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        scale = size.width() / job.sheet.width
        self._paint_places(painter, job, scale)
        painter.scale(scale / _DOTS, scale / _DOTS)
        job.paint(painter, self.page, DPI)
        painter.end()
        return picture

    def _paint_places(self, painter: QPainter, job: LabelJob, scale: float) -> None:
        """Paint the edges of the labels, and those that are used."""
        sheet, theme = job.sheet, current()
        for place in range(sheet.per_page):
            area = sheet.place(place)
            rect = QRectF(area.left * scale, area.top * scale, area.width * scale, area.height * scale)
            painter.setPen(QPen(_on_paper("bar"), 1, Qt.PenStyle.DotLine))
            painter.drawRect(rect)
            if place < job.start and not self.page:
                painter.fillRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _on_paper("pressed"))
                painter.setPen(_on_paper("muted"))
                painter.setFont(theme.font(11))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, tr("used", "of a place on a sheet of labels"))


def _on_paper(token: str) -> QColor:
    """A colour on the paper, which is white in all themes."""
    return QColor((BRIGHT if current().high_contrast else LIGHT)[token])


class LabelSample(QWidget):
    """One label, larger than on the sheet, with its measures below and beside it."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "labelSample")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._job: LabelJob | None = None
        self._pet: LabelText | None = None
        self._wanted = 4.0

    def show_label(self, job: LabelJob, pet: LabelText | None, scale: float) -> None:
        """Show this pet's label with so many pixels of a millimetre, or as many as there is room for."""
        self._job, self._pet, self._wanted = job, pet, scale
        if pet is not None:
            self.setAccessibleName(tr("Label of {name}", name=plain(pet.name)))
        self._fix_height()
        self.update()

    def scale(self) -> float:
        """Pixels of a millimetre."""
        if self._job is None:
            return self._wanted
        room = max(40, self.width() - current().scaled(_MEASURE))
        return min(self._wanted, room / self._job.sheet.label_width)

    def _fix_height(self) -> None:
        if self._job is not None:
            high = round(self._job.sheet.label_height * self.scale()) + current().scaled(_MEASURE)
            if high != self.minimumHeight():
                self.setFixedHeight(high)

    def resizeEvent(self, event: object) -> None:
        self._fix_height()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._job is None or self._pet is None:
            return
        job, scale, theme = self._job, self.scale(), current()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        if is_rtl(self):
            painter.translate(self.width() - job.sheet.label_width * scale - theme.scaled(_MEASURE), 0)
        rect = QRectF(0.5, 0.5, job.sheet.label_width * scale - 1, job.sheet.label_height * scale - 1)
        painter.setPen(_on_paper("line"))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRoundedRect(rect, 4, 4)
        painter.save()
        painter.scale(scale / _DOTS, scale / _DOTS)
        job.paint_label(painter, self._pet, Area(0, 0, job.sheet.label_width, job.sheet.label_height), DPI)
        painter.restore()
        painter.setPen(QPen(theme.tone("muted"), 1))
        wide, high = millimetres(job.sheet.label_width), millimetres(job.sheet.label_height)
        _measure(painter, QPointF(rect.left(), rect.bottom() + 10), rect.width(), tr("{length} mm", length=wide))
        painter.translate(rect.right() + 10, rect.bottom())
        painter.rotate(-90)
        _measure(painter, QPointF(0, 0), rect.height(), tr("{length} mm", length=high))
        painter.end()


def _measure(painter: QPainter, start: QPointF, length: float, words: str) -> None:
    """Draw a line of this length with its ends, and words in its middle."""
    theme = current()
    width = theme.advance(words, 11) + 8
    middle = start.x() + length / 2
    for x in (start.x(), start.x() + length):
        painter.drawLine(QPointF(x, start.y() - 4), QPointF(x, start.y() + 4))
    if width + 8 < length:
        painter.drawLine(start, QPointF(middle - width / 2, start.y()))
        painter.drawLine(QPointF(middle + width / 2, start.y()), QPointF(start.x() + length, start.y()))
    pen = painter.pen()
    draw_text(painter, theme, middle - width / 2 + 4, start.y() + theme.scaled(4), words, theme.tone("muted"), 11)
    painter.setPen(pen)


_EDGE, _GAP, _TOP = 32, 40, 12
_SIDE, _LEAST_SIDE, _MOST_SIDE = 200, 150, 304
_LEAST_PAPER = 150.0
"""Where there is no room for a sheet of this width, the words stand below it, without the larger label."""


class LabelPlane(Plane, QWidget):
    """Shows a job."""

    ground = "chrome"

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

    def tab_stops(self) -> list[QWidget]:
        """What takes the keyboard, in order."""
        return [self.preview, self.previous, self.next]
