"""Documents as services of this kind have them, each a file in `documents/`: what is found in it, and what is refused.

Those that ship are judged in `test_bind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.contract.binding.load import load_file
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.ui.text.errors.errors import error_words

DOCUMENTS = Path(__file__).parent / "documents"
BEARER = KeyPlacement()
BETA, EXPERIMENTAL = Stability.BETA, Stability.EXPERIMENTAL


@dataclass(frozen=True)
class Meant:
    """What a document was written to be: endpoint of each operation, place of the key, operations that are not stable,
    operations that are deprecated with their last day, and the words of its warnings, all of them."""

    bound: Mapping[Op, str]
    key: KeyPlacement = BEARER
    marks: Mapping[Op, Stability] = field(default_factory=dict[Op, Stability])
    ends: Mapping[Op, str | None] = field(default_factory=dict[Op, str | None])
    warnings: tuple[str, ...] = ()


TABLE: Mapping[str, Meant] = {
    "specification-alone.yaml": Meant(
        {Op.PET_READ: "GET /pets/{petId}", Op.ORDERS_LIST: "GET /store/orders"}, ends={Op.PET_READ: "2027-06-30"}
    ),
    "swagger-2.json": Meant(
        {
            Op.PETS_LIST: "GET /animals",
            Op.PET_READ: "GET /animals/{animalId}",
            Op.PET_CREATE: "POST /animals",
            Op.PET_CHANGE: "PATCH /animals/{animalId}",
            Op.PET_DELETE: "DELETE /animals/{animalId}",
            Op.ORDERS_LIST: "GET /orders",
        },
        KeyPlacement(KeyPlace.HEADER, "X-Paws", ""),
        ends={Op.PET_DELETE: None},
    ),
    "header-key.json": Meant(
        {
            Op.PETS_LIST: "GET /pets",
            Op.PET_READ: "GET /pets/{uid}",
            Op.PET_CREATE: "POST /pets",
            Op.PET_CHANGE: "PUT /pets/{uid}",
            Op.PET_DELETE: "DELETE /pets/{uid}",
            Op.CATEGORIES_LIST: "GET /categories",
        },
        KeyPlacement(KeyPlace.HEADER, "X-Shop-Key", ""),
    ),
    "data-and-cursor.yaml": Meant(
        {
            Op.PETS_LIST: "GET /animals",
            Op.PET_READ: "GET /animals/{animalId}",
            Op.PET_CREATE: "POST /animals",
            Op.PET_CHANGE: "PATCH /animals/{animalId}",
            Op.PET_DELETE: "DELETE /animals/{animalId}",
            Op.ORDERS_LIST: "GET /orders",
            Op.ORDER_CHANGE: "PATCH /orders/{number}",
        }
    ),
    "items-and-pages.json": Meant(
        {
            Op.PETS_LIST: "GET /pets/",
            Op.INVENTORY_LIST: "GET /store/inventory",
            Op.STOCK_READ: "GET /store/inventory/{animal}",
            Op.STOCK_CHANGE: "PUT /store/inventory/{animal}",
        },
        KeyPlacement(KeyPlace.QUERY, "api_key", ""),
    ),
    "results-and-offset.yaml": Meant(
        {
            Op.PETS_LIST: "GET /api/pet",
            Op.PET_CHANGE: "PUT /api/pet/{pet_id}",
            Op.CATEGORIES_LIST: "GET /api/pet-categories",
            Op.CATEGORY_CREATE: "POST /api/pet-categories",
        },
        KeyPlacement(prefix="Basic ", basic=True),
    ),
    "lists-by-name.yaml": Meant(
        {
            Op.PETS_LIST: "GET /v3/pets",
            Op.ORDERS_LIST: "GET /v3/store/orders",
            Op.ORDER_READ: "GET /v3/store/orders/{orderId}",
            Op.ORDER_CREATE: "POST /v3/store/orders",
            Op.ORDER_CANCEL: "DELETE /v3/store/orders/{orderId}",
        },
        KeyPlacement(prefix="Token "),
        {Op.ORDER_CANCEL: BETA},
    ),
    "nouns-of-its-own.yaml": Meant(
        {},
        KeyPlacement(KeyPlace.HEADER, "Authorization", "ApiKey "),
        warnings=(
            "GET /tiere is not used: it has the fields of pets, but no word of its path says so",
            "PATCH /tiere/{nr} is not used: it has the fields of pets, but no word of its path says so",
            "DELETE /tiere/{nr} is not used: it has the fields of pets, but no word of its path says so",
            "GET /bestellungen is not used: it has the fields of orders, but no word of its path says so",
            "DELETE /bestellungen/{nr} is not used: it has the fields of orders, but no word of its path says so",
            "PUT /bestand/{tier} is not used: it has the fields of inventory, but no word of its path says so",
        ),
    ),
    "stock-below-pets.json": Meant(
        {Op.STOCK_READ: "GET /pets/{petId}/stock", Op.STOCK_CHANGE: "PATCH /pets/{petId}/stock"},
        marks={Op.STOCK_CHANGE: BETA},
    ),
    "marks.yaml": Meant(
        {
            Op.PETS_LIST: "GET /pets",
            Op.PET_READ: "GET /pets/{id}",
            Op.PET_CREATE: "POST /pets",
            Op.PET_CHANGE: "PATCH /pets/{id}",
            Op.PET_DELETE: "DELETE /pets/{id}",
            Op.CATEGORIES_LIST: "GET /categories",
            Op.CATEGORY_READ: "GET /categories/{id}",
            Op.CATEGORY_CREATE: "POST /categories",
            Op.CATEGORY_CHANGE: "PATCH /categories/{id}",
            Op.CATEGORY_DELETE: "DELETE /categories/{id}",
            Op.ORDERS_LIST: "GET /store/orders",
            Op.INVENTORY_LIST: "GET /inventory",
        },
        marks={
            Op.PET_READ: EXPERIMENTAL,
            Op.PET_CREATE: BETA,
            Op.PET_CHANGE: EXPERIMENTAL,
            Op.CATEGORIES_LIST: BETA,
            Op.CATEGORY_READ: EXPERIMENTAL,
            Op.CATEGORY_CREATE: EXPERIMENTAL,
            Op.INVENTORY_LIST: BETA,
        },
        ends={
            Op.PETS_LIST: "2027-06-30",
            Op.PET_READ: "2027-07-01",
            Op.PET_CHANGE: "2027-07-02",
            Op.PET_DELETE: "2027-07-03",
            Op.CATEGORY_READ: "2027-07-04",
            Op.CATEGORY_CHANGE: "2027-07-05",
            Op.ORDERS_LIST: None,
        },
        warnings=("GET /store/orders: the sunset date cannot be read: when it is done",),
    ),
    "servers.yaml": Meant(
        {Op.PETS_LIST: "GET /pets"},
        warnings=("a server's address cannot be used: https://sandbox.shop.example/{missing}",),
    ),
    "strange-but-usable.yaml": Meant(
        {
            Op.PETS_LIST: "GET /pets",
            Op.PET_CREATE: "POST /pets",
            Op.PET_DELETE: "DELETE /pets/{id}",
            Op.ORDERS_LIST: "GET /store/orders",
            Op.INVENTORY_LIST: "GET /inventory",
        },
        warnings=(
            "a reference is not followed: https://elsewhere.example/s.json: only files beside the document are read",
            "a reference leads nowhere: #/components/parameters/None",
            "a reference leads round in a circle",
            "a reference leads nowhere: #Order",
            "a path cannot be used: /inventory of today",
            "no security scheme of the document can be used; the key is sent as bearer",
        ),
    ),
    "old-and-new.json": Meant(
        {
            Op.PETS_LIST: "GET /v2/pets",
            Op.PET_CHANGE: "PATCH /v1/pets/{id}",
            Op.STOCK_CHANGE: "PUT /inventory/{petId}",
        },
        KeyPlacement(KeyPlace.HEADER, "Cookie", "session="),
    ),
    "no-key.json": Meant({Op.ORDERS_LIST: "GET /orders"}, KeyPlacement(KeyPlace.NONE, "", "")),
    "look-alikes.yaml": Meant(
        {Op.ORDER_READ: "GET /orders/{id}"},
        warnings=(
            "GET /store/inventory is not used: its answer is not made of inventory",
            "GET /pets/findByStatus is not used: it demands the parameter status",
            "GET /categories is not used: its answer holds orders",
            "PATCH /inventory/{petId} is not used: its body has no field that is known",
            "GET /orders is not used: its answer is one record, not a list",
            "PATCH /orders/{id} is not used: it takes array, not an object",
        ),
    ),
    "beside/openapi.yaml": Meant(
        {
            Op.PETS_LIST: "GET /animals",
            Op.PET_CREATE: "POST /animals",
            Op.CATEGORIES_LIST: "GET /categories",
            Op.ORDERS_LIST: "GET /store/orders",
            Op.INVENTORY_LIST: "GET /inventory",
            Op.STOCK_READ: "GET /inventory/{petId}",
        },
        warnings=(
            "a reference is not followed: broken.yaml: it is neither JSON nor YAML",
            "a reference is not followed: missing.yaml#/Stock: it cannot be read",
            "a reference is not followed: https://elsewhere.example/c.yaml: only files beside the document are read",
            "a reference is not followed: ../outside.yaml#/Order: it lies outside of the document's folder",
        ),
    ),
}

REFUSED = {
    "swagger-1.json": "document-version",
    "openapi-4.yaml": "document-version",
    "no-version.json": "document-without-version",
    "weather.yaml": "document-empty",
    "a-list.json": "document-not-an-object",
    "sign-in.html": "document-not-an-object",
    "torn.yaml": "document-unreadable",
    "wrong-tag.yaml": "document-unreadable",
    "not-there.yaml": "document-missing",
}


@pytest.mark.parametrize("name", TABLE)
def test_a_document_is_understood_as_it_was_meant(name: str) -> None:
    meant, contract = TABLE[name], load_file(str(DOCUMENTS / name))
    found = contract.operations
    assert {op: f"{one.method} {one.path}" for op, one in found.items()} == meant.bound
    assert contract.key == meant.key
    assert {op: one.stability for op, one in found.items() if one.stability is not Stability.STABLE} == meant.marks
    assert {op: one.sunset for op, one in found.items() if one.deprecated} == meant.ends
    assert sorted(contract.warnings) == sorted(meant.warnings)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        load_file(str(DOCUMENTS / "refused" / name))
    assert caught.value.code == REFUSED[name]


def test_every_document_in_the_folder_is_judged() -> None:
    lying = {file.name for file in DOCUMENTS.iterdir() if file.is_file()} - {"outside.yaml"}
    assert lying == {name for name in TABLE if "/" not in name}
    assert {file.name for file in (DOCUMENTS / "refused").iterdir()} == REFUSED.keys() - {"not-there.yaml"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("swagger-1.json", "of version 1.2"),
        ("no-version.json", "it does not say which version"),
        ("weather.yaml", "another service: Weather"),
        ("torn.yaml", "neither JSON nor YAML"),
        ("not-there.yaml", "not-there.yaml"),
        ("sign-in.html", "this is not an OpenAPI document"),
    ],
)
def test_what_is_refused_is_said_in_words_on_the_command_line_and_in_the_window(name: str, words: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        load_file(str(DOCUMENTS / "refused" / name))
    error = caught.value
    assert words in sentence(error)
    shown = error_words(error)
    assert shown.what != error_words(DocumentUnusable()).what
    assert "unknown" not in shown.what
    assert "Survey" not in shown.raw


def test_how_records_are_taken_and_sent_is_read_from_the_schemas() -> None:
    cursor = load_file(str(DOCUMENTS / "data-and-cursor.yaml")).operations
    assert (cursor[Op.PETS_LIST].query, cursor[Op.PETS_LIST].page_limit) == (("cursor", "pageSize"), 50)
    change = cursor[Op.PET_CHANGE]
    assert change.content_type == "application/merge-patch+json"
    assert change.conditional
    assert not change.replaces
    assert change.text_fields == ("id", "categoryId")
    assert change.read_only_fields == ("id",)
    whole = load_file(str(DOCUMENTS / "header-key.json")).operations[Op.PET_CHANGE]
    assert whole.replaces
    assert not whole.conditional  # a 412 alone may be about anything
    assert whole.required_fields == ("name", "categoryId")
    pages = load_file(str(DOCUMENTS / "items-and-pages.json")).operations
    assert pages[Op.INVENTORY_LIST].first_page == 0
    assert pages[Op.INVENTORY_LIST].page_limit is None  # an infinite one is none
    assert not pages[Op.STOCK_CHANGE].replaces


def test_files_beside_a_document_become_part_of_it_in_circles_too() -> None:
    create = load_file(str(DOCUMENTS / "beside" / "openapi.yaml")).operations[Op.PET_CREATE]
    assert set(create.body_fields) == {"id", "name", "friends", "status", "again"}
