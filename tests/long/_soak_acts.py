"""What happens in the window of the soak: readings of the service, and a person who works meanwhile.

An act is a generator: between its steps the event loop turns, for as many milliseconds as it yields (a person's pace),
or (`REST`) until all that was told is on the screen.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource, Row
from petstore_desktop.sync.wire.events import EVENT_ROWS, LoadEnded, RowsChanged, RowsSeen
from petstore_desktop.ui.palette.palette import PalettePopup
from tests.bench._grid_child import Work
from tests.long._soak_shop import FILTERS, SORTS, STATUSES, TEXTS, ColumnFilter, PlainShop

REST = -1
KEY_MS = 30
LOOK_MS = 120
PALETTE = ("pend", "golden koi", "o:koi", "1234", "s:betta")
Step = Iterator[int]


class Acts:
    """All that can happen. `sorts`, `text`, `filters`: what the person asked for."""

    def __init__(self, work: Work, plain: PlainShop, chance: random.Random) -> None:
        self._work, self._plain, self._chance = work, plain, chance
        self._shop, self._tab = work.shop, work.tab
        self.done = Counter[str]()
        self.begun: list[tuple[float, str]] = []
        """When (perf_counter) which act began."""
        self.sorts: list[tuple[str, bool]] = [("name", False)]
        self.text = ""
        self.filters: dict[str, ColumnFilter] = {}
        readings: dict[Callable[[], Step], int] = {self.read_a_page: 8, self.read_all: 3, self.come_and_go: 4}
        person: dict[Callable[[], Step], int] = {
            self.sort: 6, self.filter_text: 5, self.filter_a_column: 5, self.clear: 3, self.search: 2, self.edit: 5,
            self.book: 4, self.undo: 3, self.scroll: 4, self.look_at_details: 3, self.refresh: 1, self.send: 5,
        }  # fmt: skip
        self.all = readings | person

    def next(self) -> Step:
        """Any act, by its weight."""
        (act,) = self._chance.choices(list(self.all), list(self.all.values()))
        return self.counted(act)

    def counted(self, act: Callable[[], Step]) -> Step:
        """This one."""
        name = act.__name__.replace("_", " ")
        self.done[name] += 1
        self.begun.append((time.perf_counter(), name))
        return act()

    # -- what the service tells

    def read_a_page(self) -> Step:
        """A page shows some pets changed, or their stock; the person does not wait for it."""
        keys = self._plain.some(self._chance.randint(1, EVENT_ROWS))
        if self._chance.random() < 0.3:
            self._tell([self._plain.counted(key) for key in keys if key in self._plain.stock])
        else:
            self._tell([self._plain.changed(key) for key in keys])
        yield self._chance.choice((0, KEY_MS, REST))

    def read_all(self) -> Step:
        """Everything was read, in one body or page by page; one pet in a hundred, or in ten, looks otherwise."""
        share = 10 if self._chance.random() < 0.1 else 100
        keys, at_once = self._plain.some(len(self._plain.pets) // share), self._chance.random() < 0.5
        pages = list[RowsChanged]()
        for start in range(0, len(keys), EVENT_ROWS):
            pages.append(self._page([self._plain.changed(key) for key in keys[start : start + EVENT_ROWS]]))
            if at_once:
                yield 0  # what it costs to make them up is no gap of the window's
            else:
                self._shop.events.tell(pages.pop())
                yield KEY_MS
        self._shop.events.tell(*pages)
        connection, now = self._work.desk.connection, self._shop.clock.now().wall
        self._shop.events.tell(
            RowsSeen(connection, Resource.PETS, now, None), LoadEnded(connection, Resource.PETS, now)
        )
        yield REST

    def come_and_go(self) -> Step:
        """Some pets are gone with their stock, and as many are new."""
        edited = {change.ref.key for change in self._shop.journal.values()}
        keys = [key for key in self._plain.some(self._chance.randint(1, 100)) if key not in edited]
        stocked = [key for key in keys if key in self._plain.stock]
        self._plain.forget(keys)
        self._tell([], Resource.INVENTORY, tuple(stocked))
        self._tell([], Resource.PETS, tuple(keys))
        new = [self._plain.new() for _ in keys]
        self._tell(new)
        self._tell([self._plain.counted(pet.id) for pet in new[: len(stocked)]])
        yield self._chance.choice((0, REST))

    def send(self) -> Step:
        """The changes that wait, or the oldest half of them, are sent, and each answer shows the record."""
        waiting = [one for one in self._shop.journal.values() if one.state is ChangeState.QUEUED]
        for change in waiting[: max(1, len(waiting) // self._chance.choice((1, 2)))]:
            self._shop.move(change.id, ChangeState.DONE)
            key, intent = change.ref.key, change.intent
            if isinstance(intent, AddStock):
                self._tell([InventoryItem(key, self._plain.stock[key] + intent.delta, "available")])
            else:
                old = self._plain.pets[key]
                self._tell([Pet(key, old.name, old.category_id, intent.fields["status"])])
            del self._shop.journal[change.id]
        self._shop.events.tell(self._shop.batches_moved())
        yield self._chance.choice((KEY_MS, REST))

    def _tell(
        self, records: Sequence[Pet | InventoryItem], resource: Resource | None = None, removed: tuple[int, ...] = ()
    ) -> None:
        if records or removed:
            self._shop.events.tell(self._page(records, resource, removed))

    def _page(
        self, records: Sequence[Pet | InventoryItem], resource: Resource | None = None, removed: tuple[int, ...] = ()
    ) -> RowsChanged:
        now = self._shop.clock.now().wall
        kind = resource or (Resource.PETS if isinstance(records[0], Pet) else Resource.INVENTORY)
        made = [self._plain.put(one) for one in records]
        rows = tuple(Row(one.id if isinstance(one, Pet) else one.pet_id, one, now) for one in made)
        return RowsChanged(self._work.desk.connection, kind, rows, removed)

    # -- what the person does

    def sort(self) -> Step:
        """By a column, up or down."""
        chosen = (self._chance.choice(SORTS), self._chance.random() < 0.5)
        self._tab.sort(*chosen)
        self.sorts = [chosen, *(pair for pair in self.sorts if pair[0] != chosen[0])]
        yield self._chance.choice((KEY_MS, REST))

    def filter_text(self) -> Step:
        """Letter by letter, faster than any answer or not."""
        text, pace = self._chance.choice(TEXTS), self._chance.choice((0, KEY_MS, REST))
        for length in range(1, len(text) + 1):
            self.text = text[:length]
            self._tab.set_filter(self.text)
            yield pace
        yield LOOK_MS

    def filter_a_column(self) -> Step:
        """Letter by letter; what cannot be read on the way filters nothing."""
        chosen = self._chance.choice(FILTERS)
        for length in range(1, len(chosen.text) + 1):
            self._tab.filters.set_column(chosen.column, chosen.text[:length])
            if length < len(chosen.text):
                yield KEY_MS
        self.filters[chosen.column] = chosen
        yield self._chance.choice((KEY_MS, REST))

    def clear(self) -> Step:
        """All filters, or the text alone."""
        self.text = ""
        if self._chance.random() < 0.7:
            self.filters = {}
            self._tab.filters.clear()
        else:
            self._tab.set_filter("")
        yield self._chance.choice((KEY_MS, REST))

    def search(self) -> Step:
        """Ctrl+K, a text, and Esc."""
        window, field = self._work.window, self._work.window.palette_field
        QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        yield KEY_MS
        popup = window.findChild(PalettePopup, "palettePopup")
        for sign in self._chance.choice(PALETTE):
            QTest.keyClick(field, sign)
            yield KEY_MS
        while popup.is_searching:
            yield KEY_MS
        QTest.keyClick(field, Qt.Key.Key_Escape)
        yield KEY_MS

    def edit(self) -> Step:
        """A pet, or several, get a status, in one batch; none that the window shows for a moment though it is gone."""
        shown = self._tab.table.row_count
        count = min(shown, self._chance.choice((1, 1, 1, 5, 50)))
        keys = {self._tab.table.key_at(self._chance.randrange(shown)) for _ in range(count)} & self._plain.pets.keys()
        status = self._chance.choice(STATUSES)
        if keys:
            self._shop.act(*(NewChange(Ref(Resource.PETS, key), SetFields({"status": status}), {}) for key in keys))
        yield self._chance.choice((KEY_MS, REST))

    def book(self) -> Step:
        """Stock is typed into a cell of the screen."""
        yield REST
        view, table = self._tab.view, self._tab.table
        column = [one.id for one in table.columns].index("stock")
        seen = [row for row in range(min(20, table.row_count)) if table.key_at(row) in self._plain.stock]
        rows = [row for row in seen if table.editable(row, column)]
        if not rows:
            return
        view.setFocus()
        view.setCurrentIndex(view.model().index(self._chance.choice(rows), column))
        QTest.keyClicks(view, "+")
        editors = [one for one in view.viewport().findChildren(QLineEdit) if one.isVisible()]
        yield KEY_MS
        for editor in editors:
            QTest.keyClicks(editor, "1")
            QTest.keyClick(editor, Qt.Key.Key_Return)
        yield self._chance.choice((KEY_MS, REST))

    def undo(self) -> Step:
        """The latest batch, if it is not sent."""
        yield REST
        self._work.window.parts.actions["undo"].trigger()
        yield REST

    def scroll(self) -> Step:
        """Pages down, or to another place."""
        view = self._tab.view
        if self._chance.random() < 0.5:
            for _ in range(10):
                QTest.keyClick(view, Qt.Key.Key_PageDown)
                yield 0
        else:
            bar = view.verticalScrollBar()
            bar.setValue(self._chance.randint(0, bar.maximum()))
        yield KEY_MS

    def look_at_details(self) -> Step:
        """Of some rows, one after the other; they are closed then, or stay open."""
        count = self._tab.table.row_count
        for _ in range(5 if count else 0):
            row = self._chance.randrange(max(1, self._tab.table.row_count))
            self._tab.view.setCurrentIndex(self._tab.model.index(row, self._tab.model.home_column))
            self._tab.show_details(True)
            yield LOOK_MS
        self._tab.show_details(self._chance.random() < 0.3)
        yield KEY_MS

    def refresh(self) -> Step:
        """What was edited goes where it belongs."""
        self._tab.table.refresh()
        yield REST
