"""Demo shops for the tests, each ended and found silent on stderr afterwards."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.demo.judge import Judge
from tests.support.shop import Shop

ShopFactory = Callable[..., Shop]


@pytest.fixture(autouse=True, scope="package")
def _no_authorities() -> Iterator[None]:
    """Nothing is encrypted here: who asks a shop reads no certificates, which takes longer than the question."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", lambda **_: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        yield


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


def _judged(folder: Path, service: str) -> Iterator[Judge]:
    with Shop(folder, plan="unlimited", service=service) as shop, Judge(shop, service) as judge:
        yield judge
    assert shop.errors() == ""


@pytest.fixture(scope="module")
def full_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """A client of a full service without limits, which judges each answer by the document. Shared by a module."""
    yield from _judged(tmp_path_factory.mktemp("full"), "full")


@pytest.fixture(scope="module")
def default_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """The same of a default service."""
    yield from _judged(tmp_path_factory.mktemp("default"), "default")
