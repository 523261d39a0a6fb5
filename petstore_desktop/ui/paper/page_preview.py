"""Shows the pages of a document as they come out of a printer, one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPageLayout, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.paint import brush_on, is_rtl

if TYPE_CHECKING:
    from petstore_desktop.ui.paper.paper_dialog import PrintedPages

_EDGE = 14
_FIRST, _LAST = -1_000_000, 1_000_000
_STEPS = {
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Home: _FIRST,
    Qt.Key.Key_End: _LAST,
}


class PagePreview(QLabel):
    """White paper on the plane of the window, in both themes. Keys and wheel turn pages. To screen readers it is
    a label: all that is seen is own paint.

    Signals:
        turned(): another page is shown, or another document.
    """

    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "pagePreview")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._document: PrintedPages | None = None
        self._layout: QPageLayout | None = None
        self._page = 0
        self._picture: QPixmap | None = None
        self.words = ""
        """What stands in the place of a document."""

    @property
    def page(self) -> int:
        """Which page is shown; the first is 0."""
        return self._page

    def show_document(self, document: PrintedPages | None, layout: QPageLayout, words: str = "") -> None:
        """Show its first page; `words` stand in the place of none."""
        self._document, self._layout, self.words = document, layout, words
        self.turn_to(0)

    def turn_to(self, page: int) -> None:
        """Show this page, or the nearest that there is."""
        pages = 0 if self._document is None else self._document.pages
        self._page = max(0, min(page, pages - 1))
        self._picture = None
        said = tr("page {page} of {pages}", page=number(self._page + 1), pages=number(pages)) if pages else self.words
        self.setAccessibleName(to_say(tr("Preview: {what}", what=said)))
        self.update()
        self.turned.emit()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(420), current().scaled(560))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 240)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        sideways = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if sideways is not None:
            step = -sideways if is_rtl(self) else sideways
        if step is None:
            super().keyPressEvent(event)
        else:
            self.turn_to(self._page + step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y():
            self.turn_to(self._page + (1 if event.angleDelta().y() < 0 else -1))

    def paper_rect(self) -> QRectF:
        """Where the paper lies."""
        if self._layout is None:
            return QRectF()
        full = self._layout.fullRect(QPageLayout.Unit.Point)
        room = QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        scale = min(room.width() / full.width(), room.height() / full.height())
        paper = QRectF(0, 0, full.width() * scale, full.height() * scale)
        paper.moveCenter(room.center())
        return paper

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, painter = brush.theme, brush.painter
            painter.fillRect(self.rect(), theme.color("chrome"))
            paper = self.paper_rect()
            if self._document is None:
                painter.setPen(theme.tone("muted"))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words)
            elif not paper.isEmpty():
                painter.drawPixmap(paper.topLeft(), self._painted(paper))
                painter.setPen(theme.color("line"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(paper)
            if self.hasFocus():
                brush.ring(theme.color("accent"), 4)

    def _painted(self, paper: QRectF) -> QPixmap:
        """The page as it looks at this size; painted once."""
        ratio = self.devicePixelRatioF()
        size = (paper.size() * ratio).toSize()
        if self._picture is None or self._picture.size() != size:
            self._picture = self._paint(size)
            self._picture.setDevicePixelRatio(ratio)
        return self._picture

    def _paint(self, size: QSize) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.white)
        if self._document is None or self._layout is None:
            return picture
        full, inner = (get(QPageLayout.Unit.Point) for get in (self._layout.fullRect, self._layout.paintRect))
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.scale(size.width() / full.width(), size.height() / full.height())
        painter.translate(inner.topLeft())
        self._document.paint(painter, self._page)
        painter.end()
        return picture
