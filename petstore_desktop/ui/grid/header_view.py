"""A table's header: quiet words, the sort's chevron, and the filter row that lives in it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import filterfalse
from math import ceil

from PySide6.QtCore import QAbstractItemModel, QEvent, QItemSelection, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHeaderView, QToolTip, QWidget

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current, tooltip
from petstore_desktop.ui.cells.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import ColumnFilterField
from petstore_desktop.ui.widgets.paint import draw_ring, elided, fill_round, is_rtl, line_brush

_LABEL, _FILTER, _FIELD, _CHEVRON = 30, 32, 24, 12
_LEAST = 16
"""A field that is narrower is left out."""
_LEAST_REST = 120
"""Frozen columns leave so much (px at base 13) to those that scroll."""
_ALIGN_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTrailing)


class HeaderView(QHeaderView):
    """The horizontal header of a table.

    Signals:
        sortRequested(int, bool): a section was clicked; True = add to the sort (Shift).
        filterChanged(int, str): the person changed a section's filter.
        filterFocused(int): the cursor is in a section's field now.
        filterDone(): Enter or Down in a filter field, Esc in an empty one, Tab in the last: on to the rows.
        fieldsPlaced(): columns were sized, moved, hidden or shown, and the fields followed.
    """

    sortRequested = Signal(object, bool)
    filterChanged = Signal(object, str)
    filterFocused = Signal(object)
    filterDone = Signal()
    fieldsPlaced = Signal()

    # Qt may ask for sizes before and after the life of the Python object; these are the answers then.
    _fields: dict[int, ColumnFilterField] = {}
    _sort: dict[int, bool] = {}
    _has_row = _arranging = False
    _awaited: Mapping[int, str] = {}
    _frozen_to = -1

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._fields = {}
        self._sort = {}
        self._awaited = {}
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(28)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.sectionClicked.connect(self._clicked)
        # Where a section stands is only right when all have their sizes: in a layout from right to left one that
        # grows moves those before it, and nothing tells of that.
        self._soon = timer(self, 0, self._settle, once=True)
        self.sectionResized.connect(self._soon.start)
        self.sectionResized.connect(self.place_fields)
        self.sectionMoved.connect(self.place_fields)
        self.geometriesChanged.connect(self.place_fields)

    def label_height(self) -> int:
        """Height of the row of words."""
        return current().height(_LABEL)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height())

    def _height(self) -> int:
        theme = current()
        return theme.height(_LABEL) + (theme.height(_FILTER) if self._has_row else 0)

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

    # frozen columns

    def freeze(self, section: int) -> None:
        """The sections up to this one, as on the screen, stay when the list scrolls sideways; -1 = none."""
        if section != self._frozen_to:
            self._frozen_to = section
            self._settle()

    def frozen(self) -> list[int]:
        """The visible sections that stay, as on the screen; as many as leave room for the others."""
        if self._frozen_to < 0:
            return []
        sections = map(self.logicalIndex, range(self.visualIndex(self._frozen_to) + 1))
        shown = [section for section in sections if not self.isSectionHidden(section)]
        room = self.viewport().width() - current().scaled(_LEAST_REST)
        while sum(map(self.sectionSize, shown)) > room and shown:
            shown.pop()
        return shown

    def frozen_width(self) -> int:
        """How wide the frozen sections are together, in pixels."""
        return sum(map(self.sectionSize, self.frozen()))

    def frozen_shift(self) -> int:
        """How far right of where Qt has them frozen sections are seen, in pixels."""
        return -self.offset() if is_rtl(self) else self.offset()

    def unfrozen(self, x: int) -> int:
        """Where Qt has what is seen at `x` of the viewport."""
        from_edge = self.viewport().width() - 1 - x if is_rtl(self) else x
        return x - self.frozen_shift() if from_edge < self.frozen_width() else x

    def _beside_frozen(self, section: int, place: QRect) -> QRect:
        """Where a field is seen: with its frozen column, or not further than up to those."""
        frozen = self.frozen()
        if section in frozen:
            return place.translated(self.frozen_shift(), 0)
        seen, edge = QRect(place), self.frozen_width() + 4
        if frozen and is_rtl(self):
            seen.setRight(min(seen.right(), self.viewport().width() - 1 - edge))
        elif frozen:
            seen.setLeft(max(seen.left(), edge))
        if seen.width() < _LEAST <= place.width():  # out of sight but there: Tab walks to it
            seen = QRect(-place.width() - 1, place.top(), place.width(), place.height())
        return seen

    # filters

    def await_filter_row(self, texts: Mapping[int, str]) -> None:
        """Keep the room of the filter row, and paint what will be in its fields; they are made after the first paint.

        `texts`: what each section that gets a field is filtered by.
        """
        self._awaited = dict(texts)
        self._has_row = True
        self.updateGeometry()
        self.geometriesChanged.emit()

    def set_filter_row(self, columns: Iterable[int] | None, placeholder_column: int = -1) -> None:
        """Give these sections a filter field; the placeholder column's says what it is. None = no filter row."""
        for field in self._fields.values():
            field.deleteLater()
        self._fields = {}
        self._awaited = {}
        self._has_row = columns is not None
        for section in columns or ():
            field = ColumnFilterField(tr("Filter {column}").format(column=self._words(section)), self)
            if section == placeholder_column:
                field.setPlaceholderText(tr("Filter"))
            field.setObjectName(f"filter{section}")
            field.textChanged.connect(partial(self.filterChanged.emit, section))
            field.installEventFilter(self)
            self._fields[section] = field
        self.updateGeometry()
        self.place_fields()
        self.geometriesChanged.emit()

    def fields(self) -> list[ColumnFilterField]:
        """The fields that are shown, in the order of their columns."""
        sections = map(self.logicalIndex, range(self.count()))
        shown = (self._fields.get(section) for section in sections if not self.isSectionHidden(section))
        return [field for field in shown if field is not None and not field.isHidden()]

    def field(self, section: int) -> ColumnFilterField | None:
        """The field of a section, shown or not; None where there is none (yet)."""
        return self._fields.get(section)

    def set_filter(self, section: int, text: str) -> None:
        """Show a filter without reporting it."""
        field = self._fields.get(section)
        if field is not None and field.text() != text:
            field.blockSignals(True)
            field.setText(text)
            field.blockSignals(False)
            field.retheme()
            field.update()

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
        self.place_fields()

    @contextmanager
    def arranged(self) -> Generator[None]:
        """Sections are sized, hidden and moved; the fields follow once, at the end."""
        self._arranging = True
        try:
            yield
        finally:
            self._arranging = False
        self._settle()

    def place_fields(self, *_: object) -> None:
        """The fields stand under their words again; nothing of Qt's tells when the list is scrolled sideways."""
        if self._arranging:
            return
        last = self.last_section() if self._fields else -1
        for section, field in self._fields.items():
            place = self._field_place(section, last)
            if place.isEmpty():
                field.hide()
            else:
                field.setGeometry(place)
                field.show()

    def _settle(self) -> None:
        self.place_fields()
        if not self._arranging:
            self.fieldsPlaced.emit()

    def _field_place(self, section: int, last: int) -> QRect:
        """Where a section's field stands; empty where it has no room."""
        if self.isSectionHidden(section):
            return QRect()
        theme = current()
        top = theme.height(_LABEL) + (theme.height(_FILTER) - theme.height(_FIELD)) // 2 - 2
        before, after = 4, EDGE_PAD - 6 if section == last else 4
        if is_rtl(self):
            before, after = after, before
        width = self.sectionSize(section) - before - after
        left = self.sectionViewportPosition(section) + before
        place = QRect(left, top, width, theme.height(_FIELD))
        return self._beside_frozen(section, place) if width >= _LEAST else QRect()

    def first_section(self) -> int:
        """The first visible section, which keeps the wider edge; -1 where there is none."""
        return self._visible(range(self.count()))

    def last_section(self) -> int:
        """The last visible section, which keeps the wider edge; -1 where there is none."""
        return self._visible(range(self.count() - 1, -1, -1))

    def _visible(self, places: Iterable[int]) -> int:
        return next(filterfalse(self.isSectionHidden, map(self.logicalIndex, places)), -1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and isinstance(watched, ColumnFilterField)
        ):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
                self.filterDone.emit()
                return True
            if event.key() == Qt.Key.Key_Escape:
                if watched.text():
                    watched.clear()
                else:
                    self.filterDone.emit()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                back = event.key() == Qt.Key.Key_Backtab or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                return self._walk(watched, -1 if back else 1)
        elif event.type() == QEvent.Type.FocusIn and isinstance(watched, ColumnFilterField):
            self.filterFocused.emit(next(section for section, field in self._fields.items() if field is watched))
        return super().eventFilter(watched, event)

    def _walk(self, here: ColumnFilterField, by: int) -> bool:
        """Tab goes from field to field as they stand, after the last to the rows; before the first, the usual way."""
        fields = self.fields()
        place = (fields.index(here) if here in fields else -1) + by
        if place < 0:
            return False
        if place < len(fields):
            reason = Qt.FocusReason.TabFocusReason if by > 0 else Qt.FocusReason.BacktabFocusReason
            fields[place].setFocus(reason)
        else:
            self.filterDone.emit()
        return True

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        self.place_fields()

    # painting

    def _words(self, section: int) -> str:
        model = self.model()
        found = model.headerData(section, Qt.Orientation.Horizontal) if model else None
        return "" if found is None else str(found)

    def _is_right(self, section: int) -> bool:
        found = self.model().headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        return bool(int(getattr(found, "value", found) or 0) & _ALIGN_RIGHT)

    def viewportEvent(self, event: QEvent) -> bool:
        """Words that are cut are said by a tool tip."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            section = self.logicalIndexAt(event.pos())
            cut = section >= 0 and self.sectionSizeFromContents(section).width() > self.sectionSize(section)
            QToolTip.showText(event.globalPos(), tooltip(self._words(section)) if cut else "", self)
            return True
        return super().viewportEvent(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Sections look alike whatever is selected: Qt would paint them all for each step through the rows."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), current().color("content"))
        if not self._has_row:
            line = QRect(0, self.height() - 1, self.width(), 1)
            painter.fillRect(line, current().color("line"))
        last = self.last_section() if self._awaited else -1
        for section, text in self._awaited.items():
            self._paint_awaited(painter, self._field_place(section, last), text)
        painter.end()
        super().paintEvent(event)

    def _paint_awaited(self, painter: QPainter, place: QRect, text: str) -> None:
        """A field that is not made yet, as it will look."""
        if place.isEmpty():
            return
        theme = current()
        plane = theme.color(ColumnFilterField.plane_of(text))
        fill_round(painter, place.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 5, plane)
        brush = line_brush(painter, place, is_rtl(self))
        brush.text(place.left() + 9, elided(theme, text, place.width() - 2 * PAD, 12), theme.tone("accent"), 12)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if not rect.isValid():
            return
        theme = current()
        painter.save()
        brush = line_brush(painter, QRect(rect.topLeft(), QSize(rect.width(), self.label_height())), is_rtl(self))
        sorted_, (digit, digit_width) = section in self._sort, self._sort_place(section)
        color = theme.tone("text" if sorted_ else "muted")
        begin = EDGE_PAD if section == self.first_section() else PAD
        end = EDGE_PAD if section == self.last_section() else PAD
        room = rect.width() - begin - end - (_CHEVRON + 4 + digit_width if sorted_ else 0)
        words = elided(theme, self._words(section), max(0, room), 12, 500)
        right = self._is_right(section) and not brush.rtl  # figures stand at the right on the screen, and so does this
        x = rect.right() + 1 - end - theme.advance(words, 12, 500) if right else rect.left() + begin
        width = brush.text(x, words, color, 12, 500)
        if sorted_:
            mark = x - 4 - _CHEVRON if right else x + width + 4
            brush.icon("sort-down" if self._sort[section] else "sort-up", mark, color, _CHEVRON)
            at = mark - digit_width if right else mark + _CHEVRON + 1
            brush.text(at, digit, theme.tone("muted"), 11, 500, True)
        if self.hasFocus() and section == self.currentIndex().column():
            draw_ring(painter, rect, theme.color("accent"), 4)
        painter.restore()

    def _sort_place(self, section: int) -> tuple[str, int]:
        """Which of several sort columns this is, as a digit, and its width; empty where there is only one, and for the
        first where those after it are hidden: a 1 without a 2 says nothing."""
        if len(self._sort) < 2 or section not in self._sort:
            return "", 0
        first = next(iter(self._sort)) == section
        if first and all(self.isSectionHidden(other) for other in self._sort if other != section):
            return "", 0
        digit = str(list(self._sort).index(section) + 1)
        return digit, ceil(current().advance(digit, 11, 500, True)) + 2

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Header words stay whole, with room for the sort's chevron."""
        width = current().advance(self._words(section), 12, 500) + PAD + EDGE_PAD + _CHEVRON + 4
        return QSize(round(width), self._height())
