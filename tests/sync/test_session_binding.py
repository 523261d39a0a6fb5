"""An operation that a person binds by hand counts at once, and without asking the service what it offers again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import ChangeState, NewChange, SetStock
from petstore_desktop.domain.commands import BindOperations
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import ContractRead, Trouble
from tests.support.session import NAME, Watched
from tests.support.sparse_shop import SparseShop

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Sparse", "version": "1"},
    "paths": {"/store/orders": {"get": {}}, "/things": {"get": {}}, "/others": {"get": {}}},
}
ANSWERS = {
    "GET /v1/openapi.json": DOCUMENT,
    "GET /v1/store/orders": [],
    "GET /v1/things": [{"id": 7, "name": "Koi", "categoryId": 1, "status": "sold"}],
    "GET /v1/others": [{"id": 8, "name": "Ara", "categoryId": 1, "status": "sold"}],
}
THINGS, OTHERS = {"pets.list": "GET /things"}, {"pets.list": "GET /others"}


@pytest.fixture
def shop() -> Iterator[SparseShop]:
    with SparseShop(ANSWERS) as shop:
        yield shop


def watched(data: Path, shop: SparseShop, **connection: object) -> Watched:
    return Watched(data, url=shop.url, key=shop.key, **connection)


def followed(session: Watched) -> str:
    """What pets are listed by, as last told."""
    told = session.of(ContractRead)
    operation = told[-1].contract.operations.get(Op.PETS_LIST) if told else None
    return "" if operation is None else f"{operation.method} {operation.path}"


def test_a_list_that_is_bound_by_hand_is_read_at_once_and_the_document_is_not_asked_for_again(
    tmp_path: Path, shop: SparseShop
) -> None:
    with watched(tmp_path, shop) as session:
        session.wait_loaded(Resource.ORDERS)
        assert followed(session) == ""
        session.submit(BindOperations(THINGS))
        session.wait_loaded(Resource.PETS)
        assert followed(session) == "GET /things"
        assert session.session.survey().of(Op.PETS_LIST).by_hand
        session.submit(BindOperations(OTHERS))
        session.wait(lambda: "GET /v1/others" in shop.paths, "the other list is read")
        session.submit(BindOperations({}))
        session.wait(lambda: followed(session) == "", "the program chooses again")
        assert not session.of(Trouble)
    assert shop.paths.count("GET /v1/openapi.json") == 1


def test_what_is_bound_by_hand_is_known_at_the_next_start_and_forgotten_with_the_connections_settings(
    tmp_path: Path, shop: SparseShop
) -> None:
    with watched(tmp_path, shop, bindings=THINGS) as session:
        session.wait_loaded(Resource.PETS)
    with watched(tmp_path, shop, bindings=THINGS) as session:
        session.wait(lambda: followed(session) == "GET /things", "what is kept is followed")
    assert shop.paths.count("GET /v1/openapi.json") == 1
    with watched(tmp_path, shop, bindings=OTHERS) as session:
        session.wait(lambda: followed(session) == "GET /others", "what is kept no longer fits, and is learnt anew")
    assert shop.paths.count("GET /v1/openapi.json") == 2


def test_where_the_document_is_not_kept_the_service_is_asked_for_it(tmp_path: Path, shop: SparseShop) -> None:
    with watched(tmp_path, shop) as session:
        session.wait_loaded(Resource.ORDERS)
        session.places.contract(NAME).with_name("document.openapi").unlink()
        session.submit(BindOperations(THINGS))
        session.wait(lambda: followed(session) == "GET /things", "it is followed")
    assert shop.paths.count("GET /v1/openapi.json") == 2


def test_a_chosen_document_that_is_gone_is_told_and_all_stays_as_it_was(tmp_path: Path, shop: SparseShop) -> None:
    chosen = tmp_path / "chosen.yaml"
    chosen.write_text("openapi: 3.0.3\npaths: {/store/orders: {get: {}}, /things: {get: {}}}\n", encoding="utf-8")
    with watched(tmp_path / "data", shop, document=str(chosen)) as session:
        session.wait_loaded(Resource.ORDERS)
        chosen.unlink()
        session.submit(BindOperations(THINGS))
        (trouble,) = session.wait(lambda: session.of(Trouble), "the trouble is told")
        assert trouble.error.code == "document-missing"
        assert followed(session) == ""
    assert "GET /v1/openapi.json" not in shop.paths


WAREHOUSE = {
    "openapi": "3.0.3",
    "info": {"title": "Warehouse", "version": "1"},
    "paths": {
        "/inventory": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {
            "type": "array", "items": {"type": "object", "properties": {
                "sku": {"type": "string"}, "bin": {"type": "string"}, "price": {"type": "number"}}}}}}}}}},
        "/inventory/{x}": {"patch": {"responses": {"200": {"description": "ok"}}}},
        "/shelves": {"get": {"responses": {"200": {"description": "ok"}}}},
    },
}  # fmt: skip
BELOW = {"openapi": "3.0.3", "info": {"title": "Chain", "version": "1"}, "paths": {"/shops/{shopId}/pets": {"get": {}}}}


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (WAREHOUSE, "document-empty"),
        (BELOW, "document-place"),
        ({**WAREHOUSE, "openapi": "4.0.0"}, "document-version"),
    ],
)
def test_a_service_whose_document_is_not_a_shops_is_neither_read_nor_written_to(
    tmp_path: Path, document: dict[str, object], code: str
) -> None:
    with SparseShop({"GET /v1/openapi.json": document}) as shop, watched(tmp_path, shop) as session:
        (trouble,) = session.wait(lambda: session.of(Trouble), "the trouble is told")
        assert trouble.error.code == code
        read = session.wait(lambda: session.of(ContractRead), "what it offers is told")
        assert read[-1].contract.operations == {}
        ids = session.apply(NewChange(Ref(Resource.INVENTORY, 1), SetStock(99), {"quantity": 5}))
        session.wait_for(ids, ChangeState.REFUSED)
    assert set(shop.paths) == {"GET /v1/openapi.json"}


def test_a_person_may_bind_what_a_document_that_is_not_a_shops_has(tmp_path: Path) -> None:
    answers = {"GET /v1/openapi.json": WAREHOUSE, "GET /v1/shelves": [{"id": 7, "name": "Koi", "status": "sold"}]}
    with SparseShop(answers) as shop, watched(tmp_path, shop) as session:
        session.wait(lambda: session.of(ContractRead), "what it offers is told")
        choices = session.session.survey().of(Op.PETS_LIST).choices
        assert "GET /shelves" in [choice.endpoint for choice in choices]
        session.submit(BindOperations({"pets.list": "GET /shelves"}))
        session.wait_loaded(Resource.PETS)
        assert followed(session) == "GET /shelves"


def aged(session_places: Places, days: int) -> None:
    """As if the service had last been asked so many days before."""
    file = session_places.contract(NAME)
    kept = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**kept, "read_at": kept["read_at"] - days * 86_400}), encoding="utf-8")


@pytest.mark.parametrize(("days", "asked"), [(6, 1), (8, 2)])
def test_a_document_that_was_read_a_week_ago_is_asked_for_again(
    tmp_path: Path, shop: SparseShop, days: int, asked: int
) -> None:
    for _ in range(2):
        with watched(tmp_path, shop) as session:
            session.wait_loaded(Resource.ORDERS)
        aged(session.places, days)
    assert shop.paths.count("GET /v1/openapi.json") == asked


def test_a_document_that_is_not_shown_any_more_is_followed_all_the_same(tmp_path: Path, shop: SparseShop) -> None:
    with watched(tmp_path, shop) as session:
        session.wait_loaded(Resource.ORDERS)
    aged(session.places, 8)
    answers = {place: answer for place, answer in ANSWERS.items() if "openapi" not in place}
    with SparseShop(answers) as later, watched(tmp_path, later) as session:
        session.wait_loaded(Resource.ORDERS)
        (read,) = session.of(ContractRead)
        assert read.contract.source == "published"
        assert set(read.contract.operations) == {Op.ORDERS_LIST}
