"""What is wrong with the texts that stand on the screen: cut without a tool tip, not translated, or in a colour of the
theme before.

Everything is painted once more, and each text that is shortened while a widget paints itself is noted; then the mouse
rests on it as a person's would, and a tool tip has to say the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from types import FunctionType
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QTableView,
    QToolTip,
    QWidget,
)

from petstore_desktop.ui.base.theme import Theme, current
from petstore_desktop.ui.text.cell import Cell, CellRole
from petstore_desktop.ui.widgets import paint
from tests.support.spoken import BRACKETS, unmarked

_ISOLATES = str.maketrans("", "", "\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u2060")
_TAGS = re.compile(r"</?p[^>]*>")
_WORD = re.compile(r"[^\W\d_]{2,}")
_INNER = re.compile(f"{BRACKETS[0]}[^{BRACKETS}]*{BRACKETS[1]}")
_CUT = re.compile(r"\w*…|(?:/[\w.-]+){3,}")
"""A word that is cut, and the place of a file."""
_KEYS = frozenset(("ctrl", "shift", "alt", "esc", "enter", "space", "del", "tab", "home", "end", "left", "right"))


class Watch(QObject):
    """Notes which texts each widget shortens while it paints itself."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self._application = application
        self._painted: QWidget | None = None
        self.shortened: list[tuple[QWidget, str]] = []
        self.drawn: list[tuple[QWidget, str]] = []
        vars(paint).update(_seen_elided=self._elided, _seen_drawn=self._drawn)
        for name, twin in (("elided", _elided), ("draw_text", _draw_text)):
            now = cast("FunctionType", getattr(paint, name))
            vars(paint)[f"_true_{name}"] = FunctionType(now.__code__, vars(paint), name, now.__defaults__)
            now.__code__ = cast("FunctionType", twin).__code__

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember who paints."""
        if event.type() is QEvent.Type.Paint and isinstance(watched, QWidget):
            self._painted = watched
        return False

    def _elided(self, text: str, shown: str) -> None:
        if shown != text and self._painted is not None:
            self.shortened.append((self._painted, text))

    def _drawn(self, text: str, x: float, width: float, painter: QPainter) -> None:
        widget = self._painted
        if widget is None:
            return
        self.drawn.append((widget, text))
        left = painter.transform().map(QPointF(x, 0)).x() if painter.transform().isTranslating() else x
        on_it = (
            not painter.transform().isRotating()
            and not isinstance(widget.parentWidget(), QAbstractItemView)
            and isinstance(painter.device(), QWidget)
        )
        if on_it and (left < -1 or left + width > widget.width() + 2):
            self.shortened.append((widget, text))

    def faults(self, only: QWidget | None = None) -> Iterator[str]:
        """One line for each text on the screen, or in one window, that is cut and that nothing says in whole."""
        self.shortened.clear()
        self.drawn.clear()
        tops = [top for top in top_levels() if top.isVisible() and not top.inherits("QTipLabel")]
        modal = QApplication.activeModalWidget()  # what lies below takes no mouse
        tops = [only] if only is not None else [top for top in tops if modal in (None, top) or top.isModal()]
        self._paint(tops)
        shortened, popup = list(dict.fromkeys(self.shortened)), QApplication.activePopupWidget()
        for widget, text in shortened:
            if not any(text_of(text) in tip for tip in tips_for(widget, text)):
                yield f"cut: {name_of(widget)}: {text_of(text)}"
        widgets = [widget for top in tops for widget in (top, *top.findChildren(QWidget)) if widget.isVisible()]
        for widget in widgets:
            if not widget.visibleRegion().isEmpty():
                yield from (f"cut: {name_of(widget)}: {said}" for said in cut_in(widget))
                yield from (f"colour of another theme: {name_of(widget)}: {said}" for said in _stale(widget))
        if popup is None:
            for tip in (top for top in top_levels() if top.inherits("QTipLabel")):
                tip.hide()

    def _paint(self, tops: list[QWidget]) -> None:
        """Paint all once more, and note what is drawn meanwhile: at other times every event would cost a look."""
        self._application.installEventFilter(self)
        for top in tops:
            top.grab()
        self._application.removeEventFilter(self)
        self._painted = None

    def texts(self) -> Iterator[tuple[QWidget, str]]:
        """Every text that was on the screen when the faults were asked for, and those that are said of it."""
        yield from self.drawn
        for top in top_levels():
            for widget in (top, *top.findChildren(QWidget)):
                if top.isVisible() and widget.isVisible():
                    yield from ((widget, said) for said in _said_by(widget))


def top_levels() -> list[QWidget]:
    """All top-level widgets that PySide knows as such: where one lies at the address of a layout's item that is gone,
    and that Python still holds, it is taken for that item."""
    return [top for top in QApplication.topLevelWidgets() if isinstance(top, QWidget)]


def _elided(theme: Theme, text: str, room: float, size: float = 13, weight: int = 400, tnum: bool = False) -> str:
    """Run in the place of `paint.elided`, among that module's names."""
    shown = str(globals()["_true_elided"](theme, text, room, size, weight, tnum))
    globals()["_seen_elided"](text, shown)
    return shown


def _draw_text(
    painter: QPainter,
    theme: Theme,
    x: float,
    base: float,
    text: str,
    color: QColor,
    size: float = 13,
    weight: int = 400,
    tnum: bool = False,
) -> None:
    """Run in the place of `paint.draw_text`."""
    globals()["_seen_drawn"](text, x, theme.advance(text, size, weight, tnum), painter)
    globals()["_true_draw_text"](painter, theme, x, base, text, color, size, weight, tnum)


def text_of(text: str) -> str:
    """A text as a person reads it."""
    return " ".join(unmarked(text).translate(_ISOLATES).replace("&&", "&").split())


def name_of(widget: QWidget) -> str:
    """The widget's name, or that of the first above it that has one."""
    above: QWidget | None = widget
    while above is not None and (not above.objectName() or above.objectName().startswith("qt_")):
        above = above.parentWidget()
    return f"{type(widget).__name__} in {above.objectName() if above is not None else '?'}"


def tips_for(widget: QWidget, text: str) -> Iterator[str]:
    """What tool tips say where this text stands."""
    view = widget.parentWidget()
    if isinstance(view, QHeaderView):
        model = view.model()
        for section in range(view.count()):
            title = text_of(str(model.headerData(section, view.orientation()) or ""))
            if not view.isSectionHidden(section) and title == text_of(text):
                at = QPoint(view.sectionViewportPosition(section) + view.sectionSize(section) // 2, 8)
                yield tip_at(widget, at)
    elif isinstance(view, QAbstractItemView):
        yield from (tip_at(widget, at) for at in _places(view, text_of(text)))
    else:
        yield tip_at(widget, widget.rect().center())


def _places(view: QAbstractItemView, text: str) -> Iterator[QPoint]:
    model = view.model()
    for row in range(model.rowCount()):
        for column in range(model.columnCount()):
            place = view.visualRect(model.index(row, column))
            if place.isEmpty() or not view.viewport().rect().intersects(place):
                if column == 0 and place.top() > view.viewport().height():
                    return
                continue
            if any(text in one for one in _cell_texts(model.index(row, column).data(CellRole))) or isinstance(
                view, QListView
            ):
                yield place.center()


def _cell_texts(cell: object) -> Iterator[str]:
    if isinstance(cell, Cell):
        yield from (text_of(one) for one in (cell.text, cell.note, cell.base, cell.result))
        yield from _cell_texts(cell.after)


def tip_at(widget: QWidget, at: QPoint) -> str:
    """What the tool tip says when the mouse rests here; "" without one."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))
    return text_of(unescape(_TAGS.sub("", QToolTip.text() if QToolTip.isVisible() else "")))


def cut_in(widget: QWidget) -> Iterator[str]:
    """What Qt's own widgets have no room for, and no tool tip says."""
    said, needs, room = "", 0.0, 0.0
    if isinstance(widget, QLabel) and widget.text():
        said, area = widget.text(), widget.contentsRect()
        if widget.wordWrap():
            needs, room = widget.heightForWidth(widget.width()), widget.height() + 1
        else:
            needs, room = widget.fontMetrics().horizontalAdvance(text_of(said)), area.width() + 1
            if widget.fontMetrics().boundingRect(area, 0, text_of(said)).height() > widget.height() + 1:
                yield f"{text_of(said)} (too low)"
    elif isinstance(widget, QComboBox):
        said = widget.currentText()
        needs, room = widget.fontMetrics().horizontalAdvance(text_of(said)), widget.width() - 20
    elif isinstance(widget, QLineEdit) and not widget.text():
        said = widget.placeholderText()
        margins = widget.textMargins()
        needs = widget.fontMetrics().horizontalAdvance(text_of(said))
        room = widget.contentsRect().width() - margins.left() - margins.right() + 1
    elif type(widget).__module__.startswith("PySide6") and isinstance(widget, QAbstractButton) and widget.text():
        said, needs, room = widget.text(), widget.sizeHint().width(), widget.width() + 1
    if needs > room and text_of(said) not in tip_at(widget, widget.rect().center()):
        yield text_of(said)


def _stale(widget: QWidget) -> Iterator[str]:
    """What is written in a colour that the present theme has not."""
    application = QApplication.instance()
    has_theme = isinstance(application, QApplication) and application.styleSheet()
    if has_theme and isinstance(widget, QLabel | QLineEdit) and widget.text():
        role = QPalette.ColorRole.Text if isinstance(widget, QLineEdit) else QPalette.ColorRole.WindowText
        found = widget.palette().color(role)
        if found not in map(current().color, current().tokens):
            yield f"{text_of(widget.text())} in {found.name()}"


def _said_by(widget: QWidget) -> Iterator[str]:
    """The texts of a widget, seen or read out."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    elif isinstance(widget, QLineEdit | QPlainTextEdit):
        yield widget.placeholderText()
    elif isinstance(widget, QComboBox):
        yield from (widget.itemText(at) for at in range(widget.count()))
    elif isinstance(widget, QMenu):
        yield from (action.text() for action in widget.actions())
    elif isinstance(widget, QTableView):
        model = widget.model()
        yield from (str(model.headerData(at, Qt.Orientation.Horizontal) or "") for at in range(model.columnCount()))


def words_of(*texts: str) -> set[str]:
    """All words of these texts."""
    return {word for text in texts for word in _WORD.findall(text)}


def outside_brackets(text: str) -> set[str]:
    """The words of a text that are in no brackets, but keys; what begins a bracket and is cut is another matter."""
    left, before = text_of(unescape(_TAGS.sub("", text))), ""
    while left != before:
        before, left = left, _INNER.sub(" ", left)
    left = _CUT.sub("", left.rpartition(BRACKETS[1])[2].partition(BRACKETS[0])[0])
    return {word for word in words_of(left) if word.lower() not in _KEYS}
