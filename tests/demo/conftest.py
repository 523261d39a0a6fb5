"""Demo shops for the tests, each ended and found silent on stderr afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.demo.judge import Judge
from tests.support.shop import Shop

ShopFactory = Callable[..., Shop]


@pytest.fixture
def demo_shop(tmp_path: Path) -> Iterator[ShopFactory]:
    """Call with the shop's options; each call starts one more shop."""
    shops: list[Shop] = []
    numbers = count()

    def start(**options: str | float | bool | Path) -> Shop:
        shops.append(Shop(tmp_path / f"shop{next(numbers)}", **options))
        return shops[-1]

    yield start
    for shop in shops:
        shop.stop()
        assert shop.errors() == ""


@pytest.fixture
def full_shop(demo_shop: ShopFactory) -> Iterator[Judge]:
    """A client of a full service without limits, which judges each answer by the document."""
    with Judge(demo_shop(plan="unlimited"), "full") as judge:
        yield judge


@pytest.fixture
def default_shop(demo_shop: ShopFactory) -> Iterator[Judge]:
    """A client of a default service without limits, which judges each answer by the document."""
    with Judge(demo_shop(plan="unlimited", service="default"), "default") as judge:
        yield judge
