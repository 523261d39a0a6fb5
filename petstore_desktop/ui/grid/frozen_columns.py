"""The frozen columns of a table that is scrolled sideways: painted over it where they stood, and as usable as there."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPersistentModelIndex, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QRegion, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QStyle, QStyleOptionViewItem, QWidget

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.widgets.paint import is_rtl

_Kind = QEvent.Type
_MOUSE = (_Kind.MouseButtonPress, _Kind.MouseButtonRelease, _Kind.MouseButtonDblClick, _Kind.MouseMove)
_PRESSES = (_Kind.MouseButtonPress, _Kind.MouseButtonDblClick)


class FrozenColumns(QWidget):
    """Lies over a table's headers and rows, but not over its filter row: those fields keep their place by themselves.

    Shown only while the table is scrolled sideways. What is done to it with the mouse is done to the table, at the cell
    or header that is seen there; an open editor brings the table back, to stand where its cell is seen. It is no
    control: the keyboard and screen readers have the table's own cells.
    """

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self._view, self._header, self._bar = view, view.header, view.horizontalScrollBar()
        self._held: QAbstractScrollArea = view
        """What the mouse is over, or was pressed on: the table or its header."""
        self._pressed = QPoint()
        # Opaque: else each paint of it would ask the table below to paint, of which it follows the paints.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self._bar.valueChanged.connect(self._lay)
        self._bar.rangeChanged.connect(self._lay)
        view.header.fieldsPlaced.connect(self._lay)
        view.header.geometriesChanged.connect(self._lay)
        view.resized.connect(self._lay)
        view.rows.editing.connect(self._edited, Qt.ConnectionType.QueuedConnection)  # the editor has its place then
        self._follow()
        for watched in (view.viewport(), view.header.viewport()):
            watched.installEventFilter(self)
        self._lay()

    def _follow(self) -> None:
        """Paint anew in the same turn as the table, also where its own cells are out of sight."""
        view, model, picked = self._view, self._view.model(), self._view.selectionModel()
        told = (
            model.dataChanged,
            model.layoutChanged,
            model.modelReset,
            picked.selectionChanged,
            picked.currentChanged,
        )
        for signal in (*told, view.entered, view.viewportEntered, view.verticalScrollBar().valueChanged):
            signal.connect(self._renew)

    def _renew(self, *_: object) -> None:
        self.update()

    def _lay(self, *_: object) -> None:
        """Stand where the frozen columns were, or go where they still are."""
        width = self._header.frozen_width()
        if not width or self._bar.value() == self._bar.minimum():
            self.hide()
            return
        port, head = self._view.viewport().geometry(), self._header.geometry()
        left = port.right() - width if is_rtl(self) else port.left()
        self.setGeometry(left, head.top(), width + 1, port.bottom() + 1 - head.top())
        label = self._header.label_height()
        fields = QRect(0 if not is_rtl(self) else 1, label, width, head.height() - label)
        self.setMask(QRegion(self.rect()).subtracted(QRegion(fields)))
        self.raise_()
        self.show()
        self.update()

    def _edited(self, index: QPersistentModelIndex) -> None:
        if index.column() in self._header.frozen():
            self._bar.setValue(self._bar.minimum())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent) and self.isVisible():
            self.update()
        return False

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current()
        painter.fillRect(self.rect(), theme.color("content"))
        shift = self._header.frozen_shift() + self._view.viewport().x() - self.x()
        places = [
            (section, self._header.sectionViewportPosition(section) + shift, self._header.sectionSize(section))
            for section in self._header.frozen()
        ]
        for section, left, width in places:
            self._header.paintSection(painter, QRect(left, 0, width, self._header.height()), section)
        self._paint_rows(painter, places)
        line = QRect(0 if is_rtl(self) else self.width() - 1, 0, 1, self.height())
        painter.fillRect(line, theme.color("line"))

    def _paint_rows(self, painter: QPainter, places: list[tuple[int, int, int]]) -> None:
        view, model, picked = self._view, self._view.model(), self._view.selectionModel()
        top = view.viewport().y() - self.y()
        painter.setClipRect(QRect(0, top, self.width(), self.height() - top))
        view.tell_painter()
        option, flags = QStyleOptionViewItem(), QStyle.StateFlag
        for row in view.rows_on_screen():
            above, height = view.rowViewportPosition(row) + top, view.rowHeight(row)
            for section, left, width in places:
                index = model.index(row, section)
                selected = picked.isSelected(index)
                option.rect = QRect(left, above, width, height)
                option.state = flags.State_Enabled | (flags.State_Selected if selected else flags.State_None)
                view.rows.paint(painter, option, index)
        painter.setClipping(False)

    # the mouse

    def event(self, event: QEvent) -> bool:
        port = self._held.viewport()
        if isinstance(event, QMouseEvent) and event.type() in _MOUSE:
            self._pass_on(event)
        elif isinstance(event, QWheelEvent):
            QCoreApplication.sendEvent(self._view.viewport(), event)
        elif isinstance(event, QContextMenuEvent):
            at = self._seen(event.pos())
            QCoreApplication.sendEvent(port, QContextMenuEvent(event.reason(), at, event.globalPos()))
        elif isinstance(event, QHelpEvent):
            at = self._at(event.pos())
            QCoreApplication.sendEvent(port, QHelpEvent(event.type(), at, event.globalPos()))
        elif event.type() == _Kind.Leave:
            QCoreApplication.sendEvent(self._view.viewport(), QEvent(_Kind.Leave))
        else:
            return super().event(event)
        return True

    def _seen(self, at: QPoint) -> QPoint:
        """A point of this widget in what the mouse is over."""
        return self._held.viewport().mapFrom(self._view, self.mapToParent(at))

    def _at(self, at: QPoint) -> QPoint:
        """The same, at the cell or header that is seen there."""
        seen = self._seen(at)
        return QPoint(self._header.unfrozen(seen.x()), seen.y())

    def _pass_on(self, event: QMouseEvent) -> None:
        at, kind = event.position().toPoint(), event.type()
        if kind in _PRESSES or (kind == _Kind.MouseMove and not event.buttons()):
            self._held = self._header if at.y() < self._header.label_height() else self._view
            self._pressed = at
        elif self._drags_header(event):
            self._bar.setValue(self._bar.minimum())
            self._send(event, _Kind.MouseButtonPress, self._pressed, Qt.MouseButton.LeftButton)
        self._send(event, kind, at, event.button())

    def _drags_header(self, event: QMouseEvent) -> bool:
        """Whether a column begins to be moved or sized: Qt does neither left of the header, where it has these."""
        far = (event.position().toPoint() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        return self._held is self._header and held and far and self.isVisible()

    def _send(self, event: QMouseEvent, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton) -> None:
        spot = QPointF(self._at(at))
        sent = QMouseEvent(kind, spot, event.globalPosition(), button, event.buttons(), event.modifiers())
        QCoreApplication.sendEvent(self._held.viewport(), sent)
