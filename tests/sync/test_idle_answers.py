"""A shop that answers a write with a yes and does nothing: what is said to be done is there, or waits for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import Retry
from tests.support.idle_answers import KINDS, Write, prepare
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

PUT = {"bindings": {"pets.change": "PUT /pets/{petId}", "inventory.change": "PUT /inventory/{petId}"}}


WAYS: dict[str, dict[str, Any]] = {"patch": {}, "put": PUT}


def a_desk(loop: VirtualTime, folder: Path, way: str, *, etags: bool) -> tuple[VirtualShop, VirtualDesk]:
    shop = VirtualShop(loop, folder / "shop", rpm=60_000, rpd=6_000_000)
    shop.control("etags", on=etags)
    prepare(shop)
    desk = VirtualDesk(loop, shop, folder / "desk", per_minute=60_000, per_day=6_000_000, **WAYS[way])
    desk.wait_idle()
    return shop, desk


EACH = ("new pet", "name", "booking", "deletion")
"""One write of each kind."""
CASES = [
    *(("patch", name, False) for name in KINDS),
    *(("put", name, False) for name in ("name", "count", "booking")),
    *(("patch", name, True) for name in EACH),
]
"""How a change is made, what is written, and whether with versions: with them, one write of each kind."""


@pytest.mark.parametrize(("way", "name", "etags"), CASES)
def test_what_is_said_to_be_done_is_there(loop: VirtualTime, tmp_path: Path, way: str, name: str, etags: bool) -> None:
    """One desk for all that can be answered to one kind of write; to another of its kind, way or guard each sixth
    (`dev.py long hostile` has all of it)."""
    shop, desk = a_desk(loop, tmp_path, way, etags=etags)
    kind, used, sixth = KINDS[name], set[Any](), CASES.index((way, name, etags)) % 6
    answers = list(Write(shop, kind, set()).answers())
    for answer in answers if (way, name, etags) in [("patch", one, False) for one in EACH] else answers[sixth::6]:
        write = Write(shop, kind, used)
        shop.control("answer-writes", **write.answers()[answer])
        (id_,) = desk.apply(write.change)
        desk.wait(lambda id_=id_: not desk.changes[id_].state.is_open or desk.changes[id_].needs_person, answer)
        done = desk.state(id_) is ChangeState.DONE
        assert not done or write.is_there, f"{answer}: done, and it is not there"
        shop.control("answer-writes", next=0)
        if not done:
            settled(desk, id_, write)


def settled(desk: VirtualDesk, id_: int, write: Write) -> None:
    """A person has it sent again, which starts an operation again that has stopped."""
    desk.submit(Retry((id_,)))
    desk.wait(lambda: not desk.changes[id_].state.is_open or desk.changes[id_].needs_person, "it is sent again")
    assert write.is_there or desk.state(id_) is ChangeState.REFUSED
