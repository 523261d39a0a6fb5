"""A service that offers next to nothing is served all the same, and what is missing says why: one with only the two
operations that the specification names, and one with the nine of the default document, which cuts every list at 100."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from petstore_desktop.contract.document.parse import parse
from tests.program.opened import Opened
from tests.program.running import command, until
from tests.support.shop import Shop
from tests.support.sparse_shop import SparseShop

DOCUMENT = Path(__file__).parents[1] / "contract" / "documents" / "specification-alone.yaml"
CUT = 100
KOI = {"id": 7, "name": "Koi", "categoryId": 3, "status": "sold"}
ORDERS = [
    {"id": 1, "petId": 7, "quantity": 2, "complete": False},
    {"id": 2, "petId": 9, "quantity": 1, "complete": True},
]


@pytest.fixture
def sparse() -> Iterator[SparseShop]:
    document = json.loads(json.dumps(parse(DOCUMENT.read_bytes()), default=str))
    answers = {
        "GET /v1/openapi.json": document,
        "GET /v1/store/orders": ORDERS,
        "GET /v1/pets/7": KOI,
        "GET /v1/pets/9": {"id": 9, "name": "Ara"},
    }
    with SparseShop(answers) as shop:
        yield shop


def connected(folder: Path, url: str) -> Path:
    data = folder / "data"
    done = command("--data-dir", str(data), "connect", "Sparse", "--url", url)
    assert done.returncode == 0, done.stderr
    return data


def page(program: Opened, words: str) -> None:
    """Wait for the page that stands instead of rows to say this."""
    until(lambda: words in " ".join(said(program, "emptyState")), words)


def said(program: Opened, name: str) -> list[str]:
    found = program.ask("widget", name)
    return [] if found is None else [found["name"], *found["words"]]


def look_up(program: Opened, key: str) -> None:
    program.ask("press", "Ctrl+G")
    assert program.ask("dialogs") == ["lookUpDialog"]
    program.ask("write", key)
    program.ask("press", "Return")


def test_with_two_operations_orders_are_listed_pets_are_looked_up_and_all_else_says_why_not(
    tmp_path: Path, sparse: SparseShop
) -> None:
    with Opened(connected(tmp_path, sparse.url), "--connection", "Sparse", key=sparse.key) as program:
        page(program, "does not offer this list")
        page(program, "Look up single records by id")
        program.ask("press", "Alt+O")
        until(lambda: program.ask("rows", "orders") == len(ORDERS), "the orders")
        assert "no such pet" not in str(program.ask("cells", "orders"))

        program.ask("press", "Alt+P")
        program.ask("click", "Look up by id")
        assert program.ask("dialogs") == ["lookUpDialog"]
        program.ask("write", "#7")
        program.ask("press", "Return")
        until(lambda: program.ask("rows", "pets") == 1, "the pet that was looked up")
        koi = cast("dict[str, dict[str, str]]", program.ask("cells", "pets"))["7"]
        assert (koi["Name"], koi["Status"]) == ("Koi", "sold")
        until(lambda: said(program, "listCounts")[0] == "1, looked up one by one", "what the counts say")

        look_up(program, "8")
        until(lambda: "There is no pet 8" in " ".join(said(program, "toast")), "that there is no such pet")
        program.ask("press", "Alt+O")
        program.ask("to_cell", "orders", "2", "Pet")
        program.ask("choose", "Shop", "Go to its pet")
        until(lambda: program.ask("rows", "pets") == 2, "the pet of an order")

        for tab in ("Alt+C", "Alt+I"):
            program.ask("press", tab)
            page(program, "does not offer this list")
        for name in ("newPet", "newCategory", "lookUp", "refresh"):
            assert "does not offer this." in program.ask("action_tip", name), name
        assert program.quit() == 0
    assert set(sparse.paths) == {*sparse.answers, "GET /v1/pets/8"}
    assert sparse.keys == {f"Bearer {sparse.key}"}


def test_the_page_of_operations_shows_the_two_and_binds_another_one_by_hand(tmp_path: Path, sparse: SparseShop) -> None:
    document = cast("dict[str, dict[str, object]]", sparse.answers["GET /v1/openapi.json"])
    document["paths"]["/beasts"] = {"get": {"summary": "Every beast", "responses": {}}}
    sparse.answers["GET /v1/beasts"] = [KOI]
    data = connected(tmp_path, sparse.url)
    with Opened(data, "--connection", "Sparse", key=sparse.key) as program:
        page(program, "does not offer this list")
        program.ask("choose", "File", "Operations…")
        until(lambda: program.ask("all_cells", "operationsTable"), "the operations")
        shown = cast("list[list[str]]", program.ask("all_cells", "operationsTable"))
        assert [row[0] for row in shown if row[1] == "offered"] == ["Look up one pet", "List orders"]
        assert shown[1][2:] == ["GET /pets/{petId}", "deprecated, until 30 Jun 2027"]
        program.ask("press", "Return")  # from the row to its choice
        until(lambda: "endpointChoice" in program.ask("focus"), "the choice")
        program.ask("press", "Down")
        shown = cast("list[list[str]]", program.ask("all_cells", "operationsTable"))
        assert shown[0] == ["List pets", "chosen by you", "GET /beasts", ""]
        program.ask("click", "Save")
        until(lambda: "lostOperationsDialog" in program.ask("dialogs"), "that pets can no longer be looked up")
        program.ask("click", "Save")
        until(lambda: program.ask("rows", "pets") == 1, "the list that was bound by hand")
        assert program.quit() == 0
    with Opened(data, "--connection", "Sparse", key=sparse.key) as program:
        until(lambda: program.ask("rows", "pets") == 1, "the pets at the next start")
        program.wait("ready")
        assert program.quit() == 0
    assert sparse.paths.count("GET /v1/openapi.json") == 1


def test_a_service_of_which_only_the_fields_are_alike_is_asked_for_nothing_until_a_person_chooses(
    tmp_path: Path, sparse: SparseShop
) -> None:
    pet = {"type": "object", "properties": {name: {} for name in ("id", "name", "categoryId", "status")}}
    answer = {"200": {"content": {"application/json": {"schema": {"type": "array", "items": pet}}}}}
    paths = {"/tiere": {"get": {"responses": answer}}, "/tiere/{nr}": {"delete": {}}}
    sparse.answers["GET /v1/openapi.json"] = {"openapi": "3.0.3", "info": {"title": "Tiere"}, "paths": paths}
    sparse.answers["GET /v1/tiere"] = [KOI]
    with Opened(connected(tmp_path, sparse.url), "--connection", "Sparse", key=sparse.key) as program:
        page(program, "does not offer this list")
        program.wait("ready")
        assert set(sparse.paths) == {"GET /v1/openapi.json"}
        program.ask("choose", "File", "Operations…")
        until(lambda: program.ask("all_cells", "operationsTable"), "the operations")
        shown = cast("list[list[str]]", program.ask("all_cells", "operationsTable"))
        assert {row[1] for row in shown} == {"not offered"}
        assert "its fields look like pets, its path does not" in " ".join(said(program, "operationWords"))
        program.ask("press", "Return")
        until(lambda: "endpointChoice" in program.ask("focus"), "the choice")
        program.ask("press", "Down")
        program.ask("click", "Save")
        until(lambda: program.ask("rows", "pets") == 1, "the list that was chosen")
        program.ask("to_cell", "pets", "7", "Name")
        assert "does not offer this" in program.ask("action_tip", "delete")
        assert program.quit() == 0
    assert set(sparse.paths) == {"GET /v1/openapi.json", "GET /v1/tiere"}


def test_a_list_that_the_service_cuts_is_read_by_status_and_says_that_it_is_cut(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", service="default", pets=250, plan="unlimited") as shop:
        pets = shop.rows("SELECT id, status FROM pets ORDER BY id")
        seen = {key for key, _ in pets[:CUT]}
        for status in ("available", "pending", "sold"):
            seen |= set([key for key, said in pets if said == status][:CUT])
        assert CUT < len(seen) < len(pets)
        with Opened(connected(tmp_path, shop.url), "--connection", "Sparse", key=shop.key) as program:
            until(lambda: program.ask("rows", "pets") == len(seen), f"{len(seen)} pets")
            until(lambda: "Incomplete" in said(program, "listNotice")[0], "that it is cut")
            assert {int(key) for key in program.ask("cells", "pets")} == seen
            assert program.quit() == 0
        asked = [line for line in shop.log_lines() if line["path"].startswith("/v1/pets")]
        assert len(asked) <= 4
