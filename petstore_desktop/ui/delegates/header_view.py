"""A table's header: quiet words, the sort's chevron, and the filter row that lives in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QAbstractItemModel, QEvent, QItemSelection, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHeaderView, QWidget

from petstore_desktop.ui.delegates.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.fields import FilterField
from petstore_desktop.ui.widgets.paint import baseline, draw_icon, draw_ring, draw_text, elided

_LABEL, _FILTER, _FIELD, _CHEVRON = 30, 32, 24, 12
_ALIGN_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTrailing)


class HeaderView(QHeaderView):
    """The horizontal header of a table.

    Signals:
        sortRequested(int, bool): a section was clicked; True = add to the sort (Shift).
        filterChanged(int, str): the person changed a section's filter.
        filterDone(): Enter or Down in a filter field: on to the rows.
    """

    sortRequested = Signal(object, bool)
    filterChanged = Signal(object, str)
    filterDone = Signal()

    # Qt may ask for sizes before and after the life of the Python object; these are the answers then.
    _fields: dict[int, FilterField] = {}
    _sort: dict[int, bool] = {}
    _has_row = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._fields = {}
        self._sort = {}
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(28)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.sectionClicked.connect(self._clicked)
        self.sectionResized.connect(self._place)
        self.sectionMoved.connect(self._place)
        self.geometriesChanged.connect(self._place)

    def label_height(self) -> int:
        """Height of the row of words."""
        return current().height(_LABEL)

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(super().sizeHint().width(), theme.height(_LABEL) + (theme.height(_FILTER) if self._has_row else 0))

    # sorting

    def set_sort(self, keys: Sequence[tuple[int, bool]]) -> None:
        """Show the sort: (section, descending), the first key first."""
        self._sort = dict(keys)
        if self.isVisible():
            self.viewport().update()

    def _clicked(self, section: int) -> None:
        shift = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        self.sortRequested.emit(section, bool(shift))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.position().y() < self.label_height():
            super().mousePressEvent(event)

    # filters

    def set_filter_row(self, columns: Iterable[int] | None, placeholder_column: int = -1) -> None:
        """Give these sections a filter field; the placeholder column's says what it is. None = no filter row."""
        for field in self._fields.values():
            field.deleteLater()
        self._fields = {}
        self._has_row = columns is not None
        for section in columns or ():
            field = FilterField(self.tr("Filter {column}").format(column=self._words(section)), self)
            if section == placeholder_column:
                field.setPlaceholderText(self.tr("Filter"))
            field.setObjectName(f"filter{section}")
            field.textChanged.connect(partial(self.filterChanged.emit, section))
            field.installEventFilter(self)
            self._fields[section] = field
            field.show()
        self.updateGeometry()
        self.geometriesChanged.emit()

    def set_filter(self, section: int, text: str) -> None:
        """Show a filter without reporting it."""
        field = self._fields.get(section)
        if field is not None and field.text() != text:
            field.blockSignals(True)
            field.setText(text)
            field.blockSignals(False)
            field.retheme()
            field.update()

    def filters(self) -> dict[int, str]:
        """The filters that are on, by section."""
        return {section: field.text() for section, field in self._fields.items() if field.text()}

    def focus_filter(self, section: int | None = None) -> None:
        """Put the cursor into a section's field, or into the one with the placeholder, or the first."""
        named = next((field for field in self._fields.values() if field.placeholderText()), None)
        field = self._fields.get(section) if section is not None else named
        if field is None:
            field = next(iter(self._fields.values()), None)
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._place()

    def setOffset(self, offset: int) -> None:
        super().setOffset(offset)
        self._place()

    def _place(self, *_: object) -> None:
        theme = current()
        top = theme.height(_LABEL) + (theme.height(_FILTER) - theme.height(_FIELD)) // 2 - 2
        last = self.last_section()
        for section, field in self._fields.items():
            if self.isSectionHidden(section):
                field.hide()
                continue
            right = EDGE_PAD - 6 if section == last else 4
            left = self.sectionViewportPosition(section) + 4
            width = self.sectionSize(section) - 4 - right
            field.setGeometry(left, top, max(0, width), theme.height(_FIELD))
            field.setVisible(width >= 16)

    def first_section(self) -> int:
        """The first visible section, which keeps the wider edge; -1 where there is none."""
        return self._visible(range(self.count()))

    def last_section(self) -> int:
        """The last visible section, which keeps the wider edge; -1 where there is none."""
        return self._visible(range(self.count() - 1, -1, -1))

    def _visible(self, places: Iterable[int]) -> int:
        sections = map(self.logicalIndex, places)
        return next((section for section in sections if not self.isSectionHidden(section)), -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and isinstance(watched, FilterField):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
                self.filterDone.emit()
                return True
            if event.key() == Qt.Key.Key_Escape and watched.text():
                watched.clear()
                return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            for field in self._fields.values():
                field.retheme()

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        self._place()

    # painting

    def _words(self, section: int) -> str:
        model = self.model()
        found = model.headerData(section, Qt.Orientation.Horizontal) if model else None
        return "" if found is None else str(found)

    def _is_right(self, section: int) -> bool:
        found = self.model().headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        return bool(int(getattr(found, "value", found) or 0) & _ALIGN_RIGHT)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Sections look alike whatever is selected: Qt would paint them all for each step through the rows."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), current().color("content"))
        if not self._has_row:
            line = QRect(0, self.height() - 1, self.width(), 1)
            painter.fillRect(line, current().color("line"))
        painter.end()
        super().paintEvent(event)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if not rect.isValid():
            return
        theme = current()
        painter.save()
        height = theme.height(_LABEL)
        sorted_ = section in self._sort
        color = theme.tone("text" if sorted_ else "muted")
        begin = EDGE_PAD if section == self.first_section() else PAD
        end = EDGE_PAD if section == self.last_section() else PAD
        room = rect.width() - begin - end - (_CHEVRON + 4 if sorted_ else 0)
        words = elided(theme, self._words(section), max(0, room), 12, 500)
        width = theme.advance(words, 12, 500)
        base = baseline(theme, rect.top(), height)
        rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        right = self._is_right(section)
        x = rect.width() - end - width if right else begin
        mark = x - 4 - _CHEVRON if right else x + width + 4
        if rtl:
            x, mark = rect.width() - x - width, rect.width() - mark - _CHEVRON
        draw_text(painter, theme, rect.left() + x, base, words, color, 12, 500)
        if sorted_:
            name = "sort-down" if self._sort[section] else "sort-up"
            draw_icon(painter, name, rect.left() + mark, rect.top() + (height - _CHEVRON) / 2, color, _CHEVRON)
        if self.hasFocus() and section == self.currentIndex().column():
            draw_ring(painter, rect, theme.color("accent"), 4)
        painter.restore()

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Header words stay whole, with room for the sort's chevron."""
        width = current().advance(self._words(section), 12, 500) + PAD + EDGE_PAD + _CHEVRON + 4
        return QSize(round(width), self.sizeHint().height())
