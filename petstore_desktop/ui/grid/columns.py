"""Widths, order and presence of a table's columns: kept for the person, and fitted to the room there is."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from typing import cast

from PySide6.QtCore import QItemSelectionModel, QObject, Signal
from PySide6.QtWidgets import QHeaderView

from petstore_desktop.desk.columns.columns import Column
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import EDGE_PAD, PAD
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.times import longest_day

NAME_MIN = 190
"""The flexible column keeps so much (px at base 13); other columns hide for it, the least important first."""


NAME_MOST = 560
"""It takes no more than that: what is over goes to other columns, by kind up to this share of their own width, and the
rest stays free."""
_MORE = {"gutter": 0.0, "ref": 0.5, "text": 9.0}
_MORE_ELSE = 0.75


class ColumnKeeper(QObject):
    """Lays out the columns of one table view.

    Signals:
        changed: object: the person moved, sized, hid or showed a column.
        froze: object: columns were frozen or let go.
    """

    changed = Signal(object)
    froze = Signal(object)

    def __init__(self, view: TableView, columns: Sequence[Column]) -> None:
        super().__init__(view)
        self._view = view
        self._header = view.horizontalHeader()
        self._columns = tuple(columns)
        self._widths: dict[str, int] = {}
        self._least: dict[str, tuple[int, int]] = {}
        """Of a column, the width of its longest words, and of the usual ones."""
        self._tight = False
        """There is no room for the longest words."""
        self._hidden: set[str] = set()
        self._absent = {column.id for column in columns if column.rare}
        self._order: list[str] = []
        self._frozen = ""
        self._busy = False
        self._flexible = next((n for n, column in enumerate(columns) if column.flexible), len(columns) - 1)
        self._header.setSectionsMovable(True)
        self._header.setFirstSectionMovable(False)
        self._header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._header.setSectionResizeMode(self._flexible, QHeaderView.ResizeMode.Stretch)
        self._header.setStretchLastSection(False)
        self._header.sectionResized.connect(self._resized)
        self._header.sectionMoved.connect(self._moved)
        self._soon = timer(self, 0, self.fit, once=True)
        self._room = view.width()
        view.resized.connect(self._room_changed)
        self._place()
        for column in columns:
            if column.kind == "date":
                self.make_room(column.id, longest_day(_advance), longest_day(_advance))

    # -- what is kept

    def state(self) -> dict[str, object]:
        """As plain JSON values."""
        return {
            "widths": dict(self._widths),
            "hidden": sorted(self._hidden),
            "order": list(self._order),
            "frozen": self._frozen,
        }

    def restore(self, state: Mapping[str, object]) -> None:
        """What `state` gave; what does not fit today's columns is left out."""
        known = {column.id for column in self._columns}
        widths = state.get("widths")
        if isinstance(widths, Mapping):
            pairs = cast("Mapping[object, object]", widths).items()
            self._widths = {str(key): value for key, value in pairs if key in known and isinstance(value, int)}
        self._hidden = set(_texts(state.get("hidden"))) & known
        self._order = [name for name in _texts(state.get("order")) if name in known]
        frozen = state.get("frozen")
        self._frozen = frozen if isinstance(frozen, str) and frozen in known else ""
        self._place()
        self.froze.emit(None)

    def reset(self) -> None:
        """Back to how the program was made."""
        self._widths, self._hidden, self._order, self._frozen = {}, set(), [], ""
        self._place()
        self.froze.emit(None)
        self.changed.emit(None)

    def make_room(self, column_id: str, longest: str, usual: str) -> None:
        """Make a column wide enough for its longest words, unless the person chose its width; where room is short, for
        the usual ones."""
        widths = [ceil(_advance(words)) + PAD + EDGE_PAD for words in (longest, usual)]
        before = self._least.get(column_id, (0, 0))
        least = max(widths[0], before[0]), widths[1]
        if least != before:
            self._least[column_id] = least
            self._place()

    # -- what a person does

    def hideable(self) -> list[tuple[str, bool]]:
        """Columns that may be hidden, and whether they are shown."""
        return [
            (column.id, column.id not in self._hidden)
            for column in self._columns
            if column.kind != "gutter" and not column.flexible and column.id not in self._absent
        ]

    def offer(self, column_id: str) -> None:
        """A rare column is there from now on."""
        if column_id in self._absent:
            self._absent.discard(column_id)
            self.fit()

    def set_shown(self, column_id: str, shown: bool) -> None:
        """Show or hide a column."""
        (self._hidden.discard if shown else self._hidden.add)(column_id)
        self.fit()
        self.changed.emit(None)

    def fit_contents(self) -> None:
        """Make each column as wide as what it shows; an empty list shows nothing, and keeps its widths."""
        if not self._view.model().rowCount():
            return
        for number, column in enumerate(self._columns):
            if column.kind != "gutter" and number != self._flexible:
                self._widths[column.id] = max(
                    self._view.sizeHintForColumn(number), self._header.sectionSizeHint(number)
                )
        self._place()
        self.changed.emit(None)

    @property
    def frozen(self) -> str:
        """The last of the columns that stay when the list scrolls sideways; empty where none does."""
        return self._frozen

    def freeze(self, column_id: str) -> None:
        """The columns up to this one stay when the list scrolls sideways, and no column is hidden to fit; empty lets
        them go."""
        self._frozen = column_id
        self.fit()
        self.froze.emit(None)
        self.changed.emit(None)

    # -- layout

    @contextmanager
    def _arranged(self) -> Generator[None]:
        """What happens to the columns meanwhile is not the person's doing; their filter fields follow at the end."""
        self._busy = True
        try:
            with self._view.header.arranged():
                yield
        finally:
            self._busy = False

    def _place(self) -> None:
        with self._arranged():
            names = [column.id for column in self._columns]
            wanted = [name for name in self._order if name in names]
            wanted = [names[0], *[name for name in wanted if name != names[0]]] if wanted else []
            order = [*wanted, *[name for name in names if wanted and name not in wanted]] or names
            for place, name in enumerate(order):
                self._header.moveSection(self._header.visualIndex(names.index(name)), place)
            for number, column in enumerate(self._columns):
                if number != self._flexible and column.kind != "gutter":
                    self._header.resizeSection(number, self._width(number))
            self._fit()
        self._keep_cell_in_sight()

    def fit(self) -> None:
        """Until the name has its room, give up what the longest ids need, then hide the least important columns; while
        columns are frozen, none."""
        with self._arranged():
            self._fit()
        self._keep_cell_in_sight()

    def _fit(self) -> None:
        room = self._room - current().scaled(NAME_MIN)
        shown = [
            (column.priority, number)
            for number, column in enumerate(self._columns)
            if number != self._flexible and column.id not in self._hidden | self._absent
        ]
        self._tight = False
        self._tight = sum(self._width(number) for _, number in shown) > room and not self._frozen
        kept = {number: self._width(number) for _, number in shown}
        taken = sum(kept.values())
        for priority, number in sorted(shown, reverse=True):
            if self._frozen or taken <= room or priority == 0:
                break
            taken -= kept.pop(number)
        for number in range(len(self._columns)):
            hidden = number != self._flexible and number not in kept
            if self._header.isSectionHidden(number) != hidden:
                self._header.setSectionHidden(number, hidden)
                if number in kept:
                    self._header.resizeSection(number, kept[number])
        flexible, most = max(self._room - taken, current().scaled(NAME_MIN)), current().scaled(NAME_MOST)
        self._hand_out(kept, max(0, flexible - most))
        self._freeze(min(flexible, most), self._frozen != "" or flexible > most)

    def _keep_cell_in_sight(self) -> None:
        """Where the column of the current cell was hidden, the cell before it is current; selected rows stay so."""
        index, shown = self._view.currentIndex(), self._view.shown_columns()
        if not index.isValid() or not self._header.isSectionHidden(index.column()) or not shown:
            return
        place = self._header.visualIndex(index.column())
        before = [column for column in shown if self._header.visualIndex(column) < place]
        cell = index.siblingAtColumn(before[-1] if before else shown[0])
        self._view.selectionModel().setCurrentIndex(cell, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _hand_out(self, shown: Mapping[int, int], over: int) -> None:
        """What the flexible column does not take makes others wider than given here, words first, but none that the
        person sized."""
        more = dict.fromkeys(shown, 0)
        for number in sorted(shown, key=lambda number: (self._columns[number].kind not in _MORE, number)):
            column = self._columns[number]
            if column.id not in (*self._widths, "id"):
                more[number] = min(over, round(shown[number] * _MORE.get(column.kind, _MORE_ELSE)))
                over -= more[number]
        for number in sorted(shown):
            width = shown[number] + more[number]
            if self._header.sectionSize(number) != width:
                self._header.resizeSection(number, width)

    def _freeze(self, flexible: int, fixed: bool) -> None:
        """While columns are frozen, or there is more room than it takes, the flexible one has a width: Qt's stretch
        would squeeze it rather than scroll, or leave nothing free."""
        mode = QHeaderView.ResizeMode.Fixed if fixed else QHeaderView.ResizeMode.Stretch
        if self._header.sectionResizeMode(self._flexible) != mode:
            self._header.setSectionResizeMode(self._flexible, mode)
        if fixed:
            self._header.resizeSection(self._flexible, flexible)
        names = [column.id for column in self._columns]
        self._view.header.freeze(names.index(self._frozen) if self._frozen else -1)

    def _width(self, number: int) -> int:
        column = self._columns[number]
        if column.kind == "gutter":
            return current().scaled(36)
        words = self._header.sectionSizeFromContents(number).width()
        least = max(current().scaled(column.width), words, self._least.get(column.id, (0, 0))[self._tight])
        return self._widths.get(column.id, least)

    def _resized(self, section: int, _old: int, size: int) -> None:
        if not self._busy and size and section != self._flexible and self._columns[section].kind != "gutter":
            self._widths[self._columns[section].id] = size
            if self._frozen:
                self._soon.start()
            self.changed.emit(None)

    def _moved(self, section: int, before: int, _now: int) -> None:
        if not self._busy:
            self._order = [self._columns[self._header.logicalIndex(n)].id for n in range(len(self._columns))]
            if self._columns[section].id == self._frozen:  # as many columns stay frozen as before
                self._frozen = self._order[before]
                self.fit()
            self.changed.emit(None)

    def _room_changed(self, width: int) -> None:
        self._room = width
        self._soon.start()


def _advance(words: str) -> float:
    return current().advance(words, 13, 400, True)


def _texts(value: object) -> list[str]:
    return [str(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
