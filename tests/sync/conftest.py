"""Virtual time, and real shops for sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from petstore_desktop import credentials
from petstore_desktop.contract.binding import load
from petstore_desktop.sync.send import writer
from tests.support.learned_once import learned_once
from tests.support.shop import Shop
from tests.support.soon_again import soon_again
from tests.support.virtual_time import VirtualTime

ShopFactory = Callable[..., Shop]
PETS = 40


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keyring of whoever runs the tests is not ours to write to."""
    monkeypatch.setattr(credentials, "ALLOWED", frozenset[str]())


@pytest.fixture(autouse=True)
def _each_step_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast the service answers, that a write has left is told before its answer."""
    monkeypatch.setattr(writer, "SENDING_TOLD_S", 0.0)


@pytest.fixture(autouse=True)
def _learned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hundreds of desks here learn is the same few documents."""
    monkeypatch.setattr(load, "load", learned_once)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed over a socket is tried again soon: how long it really takes is proven in virtual time."""
    soon_again(monkeypatch.setattr)


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


@pytest.fixture
def new_shop(tmp_path: Path) -> Iterator[ShopFactory]:
    """Call with the shop's options; each call starts one more shop."""
    shops: list[Shop] = []
    numbers = count()

    def start(**options: str | float | bool | Path) -> Shop:
        shops.append(Shop(tmp_path / f"shop{next(numbers)}", **{"pets": PETS, **options}))
        return shops[-1]

    yield start
    for shop in shops:
        shop.stop()  # its stderr is not judged: a client that is killed leaves half a request, and the server says so


@pytest.fixture(scope="module")
def full_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A full service without limits, shared by a module; each test takes records of its own."""
    with Shop(tmp_path_factory.mktemp("full"), plan="unlimited", pets=PETS) as shop:
        yield shop
    assert shop.errors() == ""


@pytest.fixture(scope="module")
def default_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The same with the nine operations."""
    with Shop(tmp_path_factory.mktemp("default"), plan="unlimited", pets=PETS, service="default") as shop:
        yield shop
    assert shop.errors() == ""
