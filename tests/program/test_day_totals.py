"""The history's totals of a day equal sums over the shop's own database, also after what colleagues changed."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from datetime import date
from pathlib import Path

from petstore_desktop.data_folder import Places, slug
from petstore_desktop.domain.seen_changes import DayTotals
from petstore_desktop.store.history.reader import PastReader
from tests.program.running import connect, environment
from tests.support.shop import Shop

STOCK = """SELECT p.category_id, sum(i.quantity) FROM inventory i LEFT JOIN pets p ON p.id = i.pet_id GROUP BY 1"""
NONE = "SELECT count(*) FROM inventory WHERE quantity <= 0 AND status <> 'sold'"
OVERDUE = "SELECT count(*) FROM orders WHERE complete = 0 AND date(ship_date, ?) < ?"
"""By the day on which an order ships where one is: that may be another day than in Greenwich."""


ZONES = {"NIU11": "-11 hours", "KIR-14": "+14 hours"}
"""Where it is another local day at the same moment, and how far from Greenwich that is."""


def totals(data: Path) -> list[DayTotals]:
    """Those of each day that was read."""
    history = Places(data).history(slug("Shop"))
    with closing(PastReader(history)) as reader:
        return reader.totals(date(2020, 1, 1), date(2100, 1, 1))


def sums(shop: Shop, day: date, offset: str) -> tuple[object, ...]:
    """The same from the shop's own database."""
    return (
        dict(shop.rows("SELECT status, count(*) FROM pets GROUP BY 1")),
        dict(shop.rows(STOCK)),
        shop.rows("SELECT count(*) FROM orders WHERE complete = 0")[0][0],
        shop.rows(OVERDUE, offset, day.isoformat())[0][0],
        shop.rows(NONE)[0][0],
    )


def figures(said: DayTotals) -> tuple[object, ...]:
    """What the history says of a day."""
    assert said.stock is not None
    return said.pets, dict(said.stock), said.open_orders, said.overdue, said.none_left


def test_the_totals_of_each_day_equal_sums_over_the_shops_database(tmp_path: Path) -> None:
    data, known = tmp_path / "data", list[tuple[object, ...]]()
    with Shop(tmp_path / "shop", plan="unlimited", pets=120) as shop:
        connect(data, shop)
        for zone, offset in ZONES.items():
            sync = [sys.executable, "-m", "petstore_desktop", "--data-dir", str(data), "sync", "Shop"]
            subprocess.run(sync, env=environment(shop.key, {"TZ": zone}), check=True, capture_output=True)
            known.append(sums(shop, totals(data)[-1].day, offset))
            assert [figures(day) for day in totals(data)] == known
            change_all_kinds(shop)
    one, two = known
    assert one != two and one[3], "there is something to count, and it changed"


def change_all_kinds(shop: Shop) -> None:
    """A pet is sold, one has another stock, an order is late."""
    (sold, name, category), (other, *_) = shop.rows("SELECT id, name, category_id FROM pets LIMIT 2")
    shop.control("rows", pets=[{"id": sold, "name": name, "categoryId": category, "status": "sold"}])
    shop.control("rows", inventory=[{"petId": other, "quantity": 977, "status": "available"}])
    late = {"id": 9001, "petId": other, "quantity": 1, "shipDate": "2020-01-02T12:00:00Z", "complete": False}
    shop.control("rows", orders=[late])
