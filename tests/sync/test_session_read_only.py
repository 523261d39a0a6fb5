"""A connection that is read-only: it reads as ever, and nothing that waits leaves."""

from __future__ import annotations

from pathlib import Path

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import CheckLive, Refresh
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import Checked
from tests.support.session import Watched, quantity, stock, writes
from tests.sync.conftest import ShopFactory


def test_what_waits_is_kept_while_a_connection_is_read_only_and_goes_out_afterwards(
    new_shop: ShopFactory, tmp_path: Path
) -> None:
    server = new_shop(plan="unlimited")
    pet = server.rows("SELECT pet_id FROM inventory ORDER BY pet_id")[0][0]
    before = quantity(server, pet)
    with Watched(tmp_path, server, read_only=True) as shop:
        shop.wait_loaded()
        ids = shop.apply(NewChange(stock(pet), AddStock(3), {"quantity": before}))
        shop.submit(CheckLive(Ref(Resource.INVENTORY, pet)))
        shop.wait(lambda: shop.of(Checked), "reading goes on")
        seen = len(server.log_lines())
        shop.submit(Refresh((Resource.PETS,)))
        shop.wait(lambda: len(server.log_lines()) > seen, "the list is read")
        assert shop.state(ids[0]) is ChangeState.QUEUED
        assert writes(server) == []
    with Watched(tmp_path, server) as shop:
        shop.wait_for(ids, ChangeState.DONE)
    assert quantity(server, pet) == before + 3
    assert len(writes(server)) == 1
