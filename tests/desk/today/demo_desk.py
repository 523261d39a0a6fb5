"""A desk that shows the demo shop, read from that shop's own database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from petstore_desktop.demo.books.database import TABLES, ShopDatabase, parsed
from petstore_desktop.demo.books.shop import seed
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.today.orders import OrderNumbers, order_numbers
from petstore_desktop.desk.today.stock import StockNumbers, stock_numbers
from petstore_desktop.domain.records import (
    ALL_SPECS,
    RECORD_TYPES,
    ContentId,
    Resource,
    Row,
)
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import EVERYTHING, ZONE
from tests.support.manual_clock import ManualClock

MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)


def demo_books(pets: int) -> ShopDatabase:
    """The database of a demo shop that was filled that Monday."""
    books = ShopDatabase(None)
    seed(books, pets, MONDAY.date())
    return books


def desk_of(books: ShopDatabase, days: int = 0) -> Desk:
    """A desk with all rows of the database, some days after the Monday."""
    desk = Desk("shop", ManualClock(wall=(MONDAY + timedelta(days)).timestamp()), zone=ZONE)
    desk.set_contract(EVERYTHING)
    for resource in (Resource.CATEGORIES, Resource.PETS, Resource.INVENTORY, Resource.ORDERS):
        table, rows = TABLES[resource.value], []
        for stored in books.page(table, 0, 1_000_000):
            said = parsed(stored.text)
            record = RECORD_TYPES[resource](**{spec.name: said.get(spec.wire) for spec in ALL_SPECS[resource]})
            key = said.get(table.key)
            rows.append(Row(ContentId(str(stored.row)) if key is None else key, record, MONDAY.timestamp()))
        apply_event(desk, RowsChanged("shop", resource, tuple(rows), ()))
    return desk


def read_whole(desk: Desk) -> Desk:
    """The desk after each list was read to its end."""
    for resource in Resource:
        desk.set_load(resource, LoadState("ready", as_of=desk.now()))
    return desk


def orders_of(desk: Desk) -> OrderNumbers:
    """The orders in numbers, of lists that were read whole."""
    numbers = order_numbers(read_whole(desk).shop)
    assert isinstance(numbers, OrderNumbers)
    return numbers


def stock_of(desk: Desk) -> StockNumbers:
    """The same of the stock."""
    numbers = stock_numbers(read_whole(desk).shop)
    assert isinstance(numbers, StockNumbers)
    return numbers
