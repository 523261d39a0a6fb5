"""The views' tabs: the current one takes the content's plane and flows into it."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QTabBar, QWidget

from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import current, tooltip
from petstore_desktop.ui.context.tab_specs import HostedPage, TabPage
from petstore_desktop.ui.widgets.fields import PaletteField
from petstore_desktop.ui.widgets.paint import Plane, baseline, draw_icon, draw_ring, draw_text, fill_widget

_NARROW = 1100
"""In a narrower window the field is an icon, as the pane beside the list is narrower too."""
_CURVE, _PAD, _GAP, _END, _TOP = 8, 12, 7, 14, 7


class TabStrip(QTabBar):
    """The tabs of the main window, each an icon and a word.

    Signals:
        currentChanged(int): Qt's own.
    """

    _brief = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.currentChanged.connect(self._lay_out)

    def set_brief(self, brief: bool) -> None:
        """Whether the tabs that are not shown are icons alone, each with its name as a tool tip."""
        if brief != self._brief:
            self._brief = brief
            for index in range(self.count()):
                self.setTabToolTip(index, tooltip(self._tab(index)[1]) if brief else "")
            self._lay_out()

    def _lay_out(self) -> None:
        """Give each tab its width anew, which Qt does for another size of icons."""
        self.setIconSize(self.iconSize())

    def whole_width(self) -> int:
        """Pixels that all tabs need with their words."""
        return sum(self._width(index, brief=False) for index in range(self.count()) if self.isTabVisible(index))

    def add(self, icon_name: str, text: str) -> int:
        """Add a tab and return its index."""
        index = self.addTab(text.replace("&", "&&"))
        self.setTabData(index, (icon_name, text))
        self.setAccessibleTabName(index, text)
        return index

    def _tab(self, index: int) -> tuple[str, str]:
        data = self.tabData(index)
        return cast("tuple[str, str]", data) if isinstance(data, tuple) else ("", self.tabText(index))

    def _width(self, index: int, *, brief: bool) -> int:
        theme = current()
        text = self._tab(index)[1]
        words = 0 if brief else _GAP + max(theme.advance(text), theme.advance(text, 13, 500))
        return round(theme.scaled(16) + words + _PAD + _END)

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(self._width(index, brief=self._brief and index != self.currentIndex()), current().height(42))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), current().height(42))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, current().height(42))

    def paintEvent(self, event: QPaintEvent) -> None:
        fill_widget(self, "chrome", Qt.Edge.BottomEdge)
        painter = QPainter(self)
        for index in range(self.count()):
            if self.isTabVisible(index):
                self._paint_tab(painter, index)
        painter.end()

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        theme = current()
        rect = QRectF(self.tabRect(index))
        selected = index == self.currentIndex()
        icon, text = self._tab(index)
        if selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            shape = _flowing(rect.adjusted(0, _TOP, 0, 0))
            painter.fillPath(shape, theme.color("content"))
            if theme.high_contrast:
                painter.strokePath(shape, QPen(theme.color("text"), 1))
        color = theme.tone("text" if selected else "muted")
        side = theme.scaled(16)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        middle = rect.top() + (_TOP + 42 + 1) / 2 - 1 + (rect.height() - 42) / 2
        weight = 500 if selected else 400
        width = theme.advance(text, 13, weight)
        icon_x = rect.left() + _PAD
        text_x = icon_x + side + _GAP
        if rtl:
            icon_x = rect.right() - _PAD - side
            text_x = icon_x - _GAP - width
        draw_icon(painter, icon, icon_x, middle - side / 2, color, side)
        if selected or not self._brief:
            draw_text(painter, theme, text_x, baseline(theme, middle - 15, 30), text, color, 13, weight)
        if selected and self.hasFocus():
            draw_ring(painter, rect.adjusted(2, _TOP + 2, -2, -3), theme.color("accent"), 6)


def _flowing(rect: QRectF) -> QPainterPath:
    """A tab with round shoulders whose feet curve outward into the plane below."""
    left, top, right, bottom, turn = rect.left(), rect.top(), rect.right(), rect.bottom(), float(_CURVE)
    path = QPainterPath()
    path.moveTo(left - turn, bottom)
    path.quadTo(left, bottom, left, bottom - turn)
    path.lineTo(left, top + turn)
    path.quadTo(left, top, left + turn, top)
    path.lineTo(right - turn, top)
    path.quadTo(right, top, right, top + turn)
    path.lineTo(right, bottom - turn)
    path.quadTo(right, bottom, right + turn, bottom)
    return path


class TabPages(QStackedWidget):
    """What the tabs show, by their names: of each its own page, made when it is first shown, or one that is hosted
    over it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: dict[str, TabPage] = {}
        self._hosted: dict[str, HostedPage] = {}
        self.addWidget(QWidget(self))

    def own(self, name: str) -> TabPage | None:
        """The tab's own page, shown or not; None until it is made."""
        return self._own.get(name)

    def page(self, name: str) -> TabPage | None:
        """The page that the tab shows."""
        return self._hosted.get(name) or self._own.get(name)

    def all_pages(self) -> list[TabPage]:
        """All that there are, also those that are not to be seen now."""
        return [*self._own.values(), *self._hosted.values()]

    def put(self, name: str, page: TabPage) -> None:
        """The tab's own page is made."""
        self._own[name] = page
        self.addWidget(page)

    def show_page(self, name: str) -> None:
        """Show what this tab shows."""
        page = self.page(name)
        if page is not None:
            self.setCurrentWidget(page)
            page.refresh_state()

    def host(self, name: str, page: HostedPage) -> None:
        """Show a page over the plane of the tab until `unhost`."""
        self._hosted[name] = page
        self.addWidget(page)
        self.show_page(name)

    def uncover(self, name: str) -> None:
        """Leave what is hosted over the tab's own page."""
        if name in self._hosted:
            self._hosted[name].closed.emit()

    def unhost(self, name: str) -> None:
        """Show the tab's own page again; the hosted one is done with."""
        page = self._hosted.pop(name, None)
        if page is not None:
            if self.currentWidget() is page:
                self.show_page(name)
            self.removeWidget(page)
            page.deleteLater()


class TabRow(Plane, QWidget):
    """The top row of the window: tabs, and on the right what the owner puts there."""

    ground, edge = "chrome", Qt.Edge.BottomEdge

    def __init__(self, tabs: TabStrip, *right: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._right = right
        centred = [(widget, Qt.AlignmentFlag.AlignVCenter) for widget in right]
        below = (0, _TOP - 1, 0, 0)  # on the middle of the tabs' words, not of the row
        in_row(self, (tabs, 1), in_row(None, *centred, margins=below, spacing=6), margins=(12, 0, 10, 0), spacing=6)
        self.setFixedHeight(current().height(42))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        others = sum(one.sizeHint().width() + 6 for one in self._right if not isinstance(one, PaletteField))
        room = self.width() - self._tabs.whole_width() - others - 28  # margins and gaps
        for one in self._right:
            if isinstance(one, PaletteField):
                one.set_small(self.width() < _NARROW or room < one.sizeHint().width(), room)
                self._tabs.set_brief(room < one.minimumSizeHint().width())
