"""The fields under a table's headers, each filtering its column. Made right after the first paint."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.filters import field_tip, filter_title, filter_words, problem_words
from petstore_desktop.ui.text.translate import listed, sentences, tr
from petstore_desktop.ui.widgets.labels import LinkLabel, PaintedButton, PlainLabel, drop, set_tip
from petstore_desktop.ui.widgets.paint import Brush, Raised, elided, is_rtl

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

_PAD, _MARK, _MOST = 7, 12, 200
LEAST_ALONE, LEAST = 150, 110
"""So wide (px at base 13) is a chip at least, if its words are that long: read whole as a rule; and beside others."""


class ChipWords(Struct, frozen=True):
    """One chip: `words` on it, `does` for screen readers and the tool tip, `target` what is told when it is used."""

    words: str
    does: str
    target: object
    wrong: bool = False


class FilterChip(PaintedButton):
    """`Status !sold  ×`; a click, Enter, Space, Delete or Backspace clears it.

    Signals:
        clicked(bool): Qt's own.
    """

    keys = (*PaintedButton.keys, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)

    def __init__(self, chip: ChipWords, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chip = chip
        self.least = least
        self.show_words(chip.words)
        self.setAccessibleName(to_say(chip.does))
        set_tip(self, chip.does)

    def sizeHint(self) -> QSize:
        theme = current()
        width = theme.advance(self.chip.words, 12, 400, True) + 2 * _PAD + theme.scaled(_MARK) + 4
        return QSize(min(ceil(width), theme.scaled(_MOST)), theme.height(24))

    def draw(self, brush: Brush) -> None:
        theme, tone = brush.theme, "bad" if self.chip.wrong else "accent"
        side = theme.scaled(_MARK)
        brush.panel(theme.tint(tone), 4)
        if self.chip.wrong:
            brush.unread()
        words = elided(theme, self.chip.words, self.width() - 2 * _PAD - side - 4, 12, 400, True)
        brush.text(_PAD, words, theme.tone(tone), 12, 400, True)
        brush.icon("close", self.width() - _PAD - side, theme.tone(tone), side)


class FilterChips(QWidget):
    """As many chips as one gives it, and a link that clears all where there are several. Hidden without any.

    Signals:
        cleared: object: the target of a chip that was used.
        allCleared(): the link was used.
    """

    cleared = Signal(object)
    allCleared = Signal()

    def __init__(self, all_words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filterChips")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._all, self._shown = all_words, tuple[ChipWords, ...]()
        self._row = in_row(self, spacing=6)
        self.hide()

    def set_chips(self, chips: Sequence[ChipWords]) -> None:
        """Show these; the keyboard stays where it was among them."""
        if tuple(chips) == self._shown:
            return
        self._shown = tuple(chips)
        drop(self._row)
        for one in chips:
            chip = FilterChip(one, LEAST if len(chips) > 1 else LEAST_ALONE, self)
            chip.clicked.connect(lambda _checked=False, target=one.target: self.cleared.emit(target))
            self._row.addWidget(chip)
            chip.show()
        if len(chips) > 1:
            link = LinkLabel(self._all, 12)
            link.setMinimumWidth(link.sizeHint().width())
            link.clicked.connect(lambda _checked=False: self.allCleared.emit())
            self._row.addWidget(link)
            link.show()
        self.setVisible(bool(chips))


_NOTE_WIDTH, _EDGE = 300, 8


class FieldNote(Raised, QWidget):
    """Lies over the widgets below the field, inside `parent`; takes no clicks."""

    corner = 6

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("fieldNote")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._host = parent
        self._words = PlainLabel("", "bad", 12, wrap=True)
        self._column = in_column(self, self._words, margins=(10, 7, 10, 7))
        self.hide()

    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def say(self, field: QWidget | None, words: str) -> None:
        """Say `words` below `field`; without any, say nothing."""
        self._words.set_text(words)
        if field is None or not words:
            self.hide()
            return
        host = self._host
        width = min(current().scaled(_NOTE_WIDTH), host.width() - 2 * _EDGE)
        height = self._column.heightForWidth(width)
        corner = field.mapTo(host, QPoint(0, field.height() + 6))
        if is_rtl(self):
            corner.setX(corner.x() + field.width() - width)
        left = max(_EDGE, min(corner.x(), host.width() - width - _EDGE))
        self.setGeometry(left, corner.y(), width, height)
        self.raise_()
        self.show()


NAMES = frozenset({"name", "pet"})
"""The columns whose empty field shows a hint."""


_REST = 680
"""Width of the rest of the tool bar (px at base 13); if several chips have no room, they become one."""


class FilterRow(QObject):
    """For one list."""

    def __init__(self, tab: ResourceTab) -> None:
        super().__init__(tab)
        self._tab, self._header = tab, tab.header
        columns = tab.table.columns
        self._sections = {column.id: number for number, column in enumerate(columns)}
        shown = [number for number, column in enumerate(columns) if column.kind != "gutter"]
        self._header.set_filter_row(shown, next(n for n in shown if columns[n].id in NAMES))
        self._note = FieldNote(tab.view)
        self._chips = FilterChips(tr("Clear all"), tab.bar)
        self._chips.cleared.connect(self._drop)
        self._chips.allCleared.connect(tab.filters.clear)
        tab.bar.add_left(self._chips)
        before: QWidget = tab.bar.notice
        for number in shown:
            field = self._header.field(number)
            assert field is not None
            name = columns[number].id
            field.setAccessibleName(to_say(tr("Filter {column}", column=filter_title(tab.resource, name))))
            field.set_tip(field_tip(name))
            field.installEventFilter(self)
            QWidget.setTabOrder(before, field)
            before = field
        QWidget.setTabOrder(before, tab.view)
        self.show()
        self._header.filterChanged.connect(self._typed)
        self._header.filterFocused.connect(self._stands_in)
        self._header.fieldsPlaced.connect(self._show_chips)

    def show(self) -> None:
        """Bring the fields up to date with what the table is filtered by."""
        table = self._tab.table
        texts, problems = table.column_filters, table.unreadable_filters
        for name, section in self._sections.items():
            field = self._header.field(section)
            if field is None:
                continue
            self._header.set_filter(section, texts.get(name, ""))
            problem = problems.get(name)
            field.set_problem("" if problem is None else problem_words(problem, name))
        self._show_note()
        self._show_chips()

    def _show_chips(self) -> None:
        """Filters of columns that are hidden, and of the marks, which have no field."""
        table, problems = self._tab.table, self._tab.table.unreadable_filters
        chips: list[ChipWords] = []
        for name, text in table.column_filters.items():
            section = self._sections[name]
            if self._header.field(section) is None or self._header.isSectionHidden(section):
                words = filter_words(self._tab.resource, name, text)
                why = problem_words(problems[name], name) if name in problems else ""
                does = sentences(tr("{filter}: clear this filter.", filter=words), why)
                chips.append(ChipWords(words, does, name, bool(why)))
        if len(chips) > 1 and self._tab.bar.width() < current().scaled(_REST + (LEAST + 6) * len(chips)):
            words = tr("{n} filters", "", len(chips))
            does = tr("{filters}: clear all filters.", filters=listed(chip.words for chip in chips))
            chips = [ChipWords(words, does, None, any(chip.wrong for chip in chips))]
        self._chips.set_chips(chips)

    def _drop(self, column_id: str | None) -> None:
        if column_id is None:
            self._tab.filters.clear()
        else:
            self._tab.filters.drop(column_id)

    def focus(self, column_id: str = "") -> None:
        """Put the keyboard into the field of a column, or of the name where that one has none."""
        section = self._sections.get(column_id)
        field = None if section is None else self._header.field(section)
        self._header.focus_filter(None if field is None or field.isHidden() else section)

    def _stands_in(self, section: int) -> None:
        """Read the column ahead when its field gets the focus."""
        self._tab.table.prepare_filter(self._tab.table.columns[section].id)

    def _typed(self, section: int, text: str) -> None:
        self._tab.filters.set_column(self._tab.table.columns[section].id, text)

    def _show_note(self) -> None:
        """Show why the field's text cannot be read."""
        field = next((field for field in self._header.fields() if field.hasFocus()), None)
        self._note.say(field, "" if field is None else field.problem())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._note.say(None, "")
            if event.type() == QEvent.Type.FocusIn:
                self._show_note()
            else:
                self._tab.table.prepare_filter("")
        return super().eventFilter(watched, event)
