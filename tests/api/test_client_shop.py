"""Every operation of both services, through the typed methods, over a socket to the demo shop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from petstore_desktop.api.client import Client
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import Conflicted, KeyRejected, NotFound, NotOffered, RateLimited, Refused
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Ref, Resource
from tests.api.speaking import BY_PERSON, rows_of, speaking, walk
from tests.support.shop import Shop

PETS, CATEGORIES, ORDERS, INVENTORY = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
N = 700


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The service that offers everything."""
    with Shop(tmp_path_factory.mktemp("full"), plan="unlimited", pets=N, service="full") as shop:
        yield shop


@pytest.fixture(scope="module")
def nine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The service that offers the nine operations of the default document."""
    with Shop(tmp_path_factory.mktemp("nine"), plan="unlimited", pets=N, service="default") as shop:
        yield shop


@asynccontextmanager
async def connected(shop: Shop, contract: Contract | None = None) -> AsyncIterator[Client]:
    """A client that has read the shop's own document."""
    async with speaking(None, contract, key=shop.key, base=shop.url) as client:
        if contract is None:
            document = await client.fetch_document()
            assert document is not None
            client.use_contract(load(document.data, source="published"))
        yield client


def test_the_published_documents_bind_to_what_each_service_offers(full: Shop, nine: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            assert set(client.contract.operations) == set(Op)
        async with connected(nine) as client:
            assert client.contract.operations == default().operations

    asyncio.run(run())


def test_whole_lists_come_as_the_shop_has_them(full: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            pets = rows_of(await walk(client, PETS))
            kept = full.rows("SELECT id, name, category_id, status FROM pets")
            assert {(r.key, r.record.name, r.record.category_id, r.record.status) for r in pets} == set(kept)
            for resource in (CATEGORIES, ORDERS, INVENTORY):
                pages = await walk(client, resource)
                (count,) = full.rows(f"SELECT count(*) FROM {resource.value}")[0]
                assert sum(len(page.rows) for page in pages) == count
                assert pages[-1].last
                assert pages[-1].cut_at is None
                assert not any(page.set_aside for page in pages)

    asyncio.run(run())


def test_pets_and_categories_are_made_read_changed_and_deleted(full: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            made = await client.create(CATEGORIES, {"name": "Axolotls", "description": "wet"}, BY_PERSON)
            assert made.id is not None
            category = Ref(CATEGORIES, made.id)
            assert (await client.read(category, BY_PERSON)).record == Category(made.id, "Axolotls", "wet")
            changed = await client.change(category, {"description": "dry"}, BY_PERSON)
            assert changed.row is not None

            name = "<b>Zoë</b> قطّة 🐈"
            pet = await client.create(PETS, {"name": name, "category_id": made.id, "status": "available"}, BY_PERSON)
            assert pet.row is not None
            assert pet.id is not None
            ref = Ref(PETS, pet.id)
            assert pet.row.record == Pet(pet.id, name, made.id, "available")
            row = (await client.change(ref, {"status": "pending"}, BY_PERSON, etag=pet.row.etag)).row
            assert row is not None
            assert row.record == Pet(pet.id, name, made.id, "pending")
            with pytest.raises(Conflicted):
                await client.change(ref, {"status": "sold"}, BY_PERSON, etag=pet.row.etag)
            assert full.rows("SELECT name, status FROM pets WHERE id = ?", pet.id) == [(name, "pending")]

            assert (await client.read(ref, BY_PERSON)).record == row.record
            await client.delete(ref, BY_PERSON)
            with pytest.raises(NotFound):
                await client.read(ref, BY_PERSON)
            with pytest.raises(NotFound):
                await client.delete(ref, BY_PERSON)
            await client.delete(category, BY_PERSON)
            assert full.rows("SELECT count(*) FROM categories WHERE id = ?", made.id) == [(0,)]

    asyncio.run(run())


def test_orders_are_made_read_completed_and_cancelled(full: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            (pet_id,) = full.rows("SELECT min(id) FROM pets")[0]
            fields = {"pet_id": pet_id, "quantity": 2, "ship_date": "2026-01-02T03:04:05Z", "complete": False}
            made = await client.create(ORDERS, fields, BY_PERSON)
            assert made.id is not None
            ref = Ref(ORDERS, made.id)
            row = await client.read(ref, BY_PERSON)
            assert isinstance(row.record, Order)
            assert (row.record.pet_id, row.record.quantity, row.record.complete) == (pet_id, 2, False)
            done = (await client.change(ref, {"complete": True}, BY_PERSON, etag=row.etag)).row
            assert done is not None
            assert isinstance(done.record, Order)
            assert done.record.complete
            assert done.record.ship_date == row.record.ship_date
            open_one = await client.create(ORDERS, {"pet_id": pet_id, "quantity": 1}, BY_PERSON)
            assert open_one.id is not None
            await client.delete(Ref(ORDERS, open_one.id), BY_PERSON)
            assert full.rows("SELECT count(*) FROM orders WHERE id = ?", open_one.id) == [(0,)]

    asyncio.run(run())


def test_stock_is_set_to_an_absolute_value_guarded_by_its_etag(full: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            (pet_id,) = full.rows("SELECT min(pet_id) FROM inventory WHERE quantity > 0")[0]
            before = await client.read(Ref(INVENTORY, pet_id), BY_PERSON)
            assert isinstance(before.record, InventoryItem)
            assert before.etag is not None
            after = await client.change(
                Ref(Resource.INVENTORY, pet_id),
                {"quantity": before.record.quantity + 12},
                BY_PERSON,
                etag=before.etag,
            )
            assert after.row is not None
            assert full.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet_id) == [
                (before.record.quantity + 12,)
            ]
            with pytest.raises(Conflicted):
                await client.change(Ref(Resource.INVENTORY, pet_id), {"quantity": 0}, BY_PERSON, etag=before.etag)

    asyncio.run(run())


def test_the_nine_operations_work_with_the_default_contract(nine: Shop) -> None:
    async def run() -> None:
        async with connected(nine, default()) as client:
            pages = await walk(client, PETS)
            assert pages[-1].cut_at == 100
            ids = [row.key for page in pages for row in page.rows]
            assert 100 < len(ids) == len(set(ids))
            made = await client.create(PETS, {"name": "Nine", "category_id": 1}, BY_PERSON)
            assert made.id is not None
            assert (await client.read(Ref(PETS, made.id), BY_PERSON)).record.name == "Nine"
            assert (await client.create(CATEGORIES, {"name": "New"}, BY_PERSON)).id is not None
            assert len(rows_of(await walk(client, CATEGORIES))) > 1
            orders = rows_of(await walk(client, ORDERS))
            stock = rows_of(await walk(client, INVENTORY))
            assert len(stock) == nine.rows("SELECT count(*) FROM inventory")[0][0]
            cancellable = nine.rows("SELECT id FROM orders WHERE complete = 0 AND id IS NOT NULL")[0][0]
            assert cancellable in {row.key for row in orders}
            await client.delete(Ref(ORDERS, cancellable), BY_PERSON)
            changed = await client.change(Ref(Resource.INVENTORY, int(str(stock[0].key))), {"quantity": 77}, BY_PERSON)
            assert changed.row is not None
            assert nine.rows("SELECT quantity FROM inventory WHERE pet_id = ?", stock[0].key) == [(77,)]
            with pytest.raises(NotOffered):
                await client.delete(Ref(PETS, made.id), BY_PERSON)

    asyncio.run(run())


def test_the_services_words_come_with_a_refusal(full: Shop) -> None:
    async def run() -> None:
        async with connected(full) as client:
            with pytest.raises(Refused) as caught:
                await client.create(PETS, {"name": "", "category_id": -1}, BY_PERSON)
            assert caught.value.message
            assert caught.value.params["service_code"]

    asyncio.run(run())


def test_a_wrong_key_is_rejected_and_locks_the_gate(full: Shop) -> None:
    async def run() -> None:
        async with speaking(None, key="wrong", base=full.url) as client:
            with pytest.raises(KeyRejected):
                await walk(client, PETS)
            assert client.admission.view.phase is GatePhase.LOCKED

    asyncio.run(run())


def test_a_429_of_the_shop_pauses_the_gate(tmp_path: Path) -> None:
    async def run(shop: Shop) -> None:
        async with connected(shop) as client:
            await walk(client, CATEGORIES)
            shop.control("exhaust")
            with pytest.raises(RateLimited):
                await walk(client, CATEGORIES)
            assert client.admission.view.phase is GatePhase.PAUSED

    with Shop(tmp_path, plan="free", pets=10) as shop:
        asyncio.run(run(shop))
