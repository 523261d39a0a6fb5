"""What else a person uses in the window of the grid's bench, once each, so that its memory is counted: the filters of
columns, the history of records, and the other lists with their filters."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.domain.seen_changes import SeenChange
    from tests.bench._grid_child import Work

COLUMNS = {"name": "koi", "id": "<5,000", "category": "fish|birds", "status": "!sold", "stock": ">20", "orders": "="}
LISTS = ("orders", "inventory", "categories")
RECORDS = 20
CHANGES = 40
DAY_S = 86_400.0
STEPS = 60


def use(work: Work) -> None:
    """All of it."""
    _filter_columns(work)
    _look_at_histories(work)
    for name in LISTS:
        work.window.show_tab(name)
        work.settle()
        tab = work.window.tab()
        for length in range(4):
            tab.set_filter("koi"[:length])
            work.settle()
        tab.set_filter("")
        work.settle()
    work.window.show_tab("pets")
    work.settle()


def _filter_columns(work: Work) -> None:
    for column, text in COLUMNS.items():
        for length in range(1, len(text) + 1):
            work.tab.filters.set_column(column, text[:length])
            work.settle()
        work.tab.filters.clear()
        work.settle()


def _look_at_histories(work: Work) -> None:
    """Each record has so many changes by others, of its status and of its stock."""
    from petstore_desktop.sync.wire.events import HistoryRead

    def read_history(ref: Ref) -> None:
        seen = tuple(_seen(work, ref, number) for number in range(CHANGES))
        work.shop.events.tell(HistoryRead(work.desk.connection, ref, observed=seen))

    work.shop.read_history = read_history
    work.shop.past.changes_of = lambda ref, done: done([_seen(work, ref, number) for number in range(0, CHANGES, 2)])
    for row in range(0, work.table.row_count, work.table.row_count // RECORDS + 1):
        work.tab.view.setCurrentIndex(work.tab.model.index(row, work.tab.model.home_column))
        work.tab.show_history()
        _turns(work)
    work.tab.show_details(False)


def _seen(work: Work, ref: Ref, number: int) -> SeenChange:
    from petstore_desktop.domain.records import Ref, Resource
    from petstore_desktop.domain.seen_changes import SeenChange, What, Who

    at = work.shop.clock.now().wall - number * DAY_S
    made = partial(SeenChange, what=What.CHANGED, who=Who.ELSEWHERE, seen_after=at - 600, seen_by=at, record={})
    if number % 2:
        return made(ref, field="status", before="pending", after="available", title="Koi")
    stock = Ref(Resource.INVENTORY, ref.key)
    return made(stock, field="quantity", before=number, after=number + 2, title="Koi")


def _turns(work: Work) -> None:
    for _ in range(STEPS):
        work.turn()
