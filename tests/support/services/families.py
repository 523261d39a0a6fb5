"""Services as people build them with a framework, each with a profile of its name in `resources/profiles`.

Written from what the frameworks' own guides and scaffolds do, not from what the binder reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from petstore_desktop.contract.operations import Path, Verb
from petstore_desktop.domain.records import Resource
from tests.support.services.named import NAMED, OF_ORDERS, SCENARIOS
from tests.support.services.scenario import CATEGORY_NAME, Demand, Kind, Scenario, standard

PETS, CATEGORIES, ORDERS, STOCK = Resource
_SNAKE: Final[Mapping[Resource, Mapping[str, Path]]] = {
    PETS: {"category_id": ("category_id",)},
    ORDERS: {"pet_id": ("pet_id",), "ship_date": ("ship_date",)},
    STOCK: {"pet_id": ("pet_id",)},
}
"""Fields as Python, Ruby and PHP call them."""
_STOCK = (Verb.LIST, Verb.CHANGE)
"""Entries that have a key of their own are not read by that of their pet."""


def _kinds(
    fields: Mapping[Resource, Mapping[str, Path]], own: Mapping[str, int | str], paths: str = "/{}", item: str = ""
) -> dict[Resource, Kind]:
    """All four. `own`: what a service sets itself, with a value; `paths`, `item`: of all records, and of one."""
    found: dict[Resource, Kind] = {}
    for resource in Resource:
        path = paths.format(resource.value)
        found[resource] = Kind(
            path,
            {**standard(resource), **fields.get(resource, {})},
            verbs=_STOCK if resource is STOCK else OF_ORDERS if resource is ORDERS else tuple(Verb),
            item=f"{path}{item}" if item else "",
            more={(name,): value for name, value in own.items()},
            own=tuple(own),
            required=("name",) if resource in (PETS, CATEGORIES) else (),
            own_key="id" if resource is STOCK else "",
        )
    return found


def _named(kinds: dict[Resource, Kind]) -> dict[Resource, Kind]:
    """A pet is read with its category, and written with its id."""
    return {**kinds, PETS: replace(kinds[PETS], writes={"category_id": ("category_id",)})}


def _fastapi() -> Scenario:
    """The tutorial's CRUD with SQLModel: offset and limit, bare lists, PATCH of what is set; a pet is read with its
    category and written with its id."""
    fields = {**_SNAKE, PETS: {**NAMED}}
    made = _named(_kinds(fields, {}))
    return Scenario(
        "fastapi", made, paging="more", page=100, base="", place="/openapi.json", limits="none", deleted={"ok": True}
    )


def _django() -> Scenario:
    """ModelViewSet with PageNumberPagination and TokenAuthentication; a slash at the end of each path."""
    fields = {
        **_SNAKE,
        PETS: {**NAMED},
        ORDERS: {"pet_id": ("pet",), "ship_date": ("ship_date",)},
        STOCK: {"pet_id": ("pet",)},
    }
    made = _named(_kinds(fields, {"created": "2026-01-01T00:00:00Z"}, "/{}/", "{id}/"))
    return Scenario(
        "django",
        made,
        many=("results",),
        paging="count",
        page=100,
        base="/api",
        document="none",
        security="token",
        limits="none",
    )


def _spring() -> Scenario:
    """Pages of Spring Data, PUT of the whole, a category as an object with its id."""
    made = _kinds({PETS: {**NAMED}}, {})
    return Scenario(
        "spring",
        made,
        many=("content",),
        paging="spring",
        page=100,
        change="PUT",
        base="/api",
        place="/v3/api-docs",
        limits="none",
    )


def _rails() -> Scenario:
    """Strong parameters below the model's name, bare answers, pages by the Link header, times set by the database."""
    own = {"created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-02T00:00:00.000Z"}
    return Scenario(
        "rails", _kinds(_SNAKE, own), body="{}", paging="link", page=100, base="/api", document="none", limits="none"
    )


def _aspnet() -> Scenario:
    """The scaffold of API controllers with Entity Framework: whole lists, PUT of the whole with its id in the body,
    answered 204."""
    made = _kinds({}, {})
    return Scenario(
        "aspnet",
        made,
        change="PUT",
        changed="nothing",
        names_itself=True,
        shared=False,
        base="/api",
        place="/openapi/v1.json",
        limits="none",
    )


def _loopback() -> Scenario:
    """REST controllers of LoopBack 4: PATCH answered 204, whole lists."""
    return Scenario("loopback", _kinds({}, {}), changed="nothing", base="", place="/openapi.json", limits="none")


def _feathers() -> Scenario:
    """Services with paginate: total, limit, skip and data."""
    return Scenario(
        "feathers", _kinds({}, {}), many=("data",), paging="feathers", page=50, base="", document="none", limits="none"
    )


def _laravel() -> Scenario:
    """API resources: everything below `data`, pages with `meta`; Sanctum's tokens."""
    own = {"created_at": "2026-01-01T00:00:00.000000Z", "updated_at": "2026-01-02T00:00:00.000000Z"}
    return Scenario(
        "laravel",
        _kinds(_SNAKE, own),
        many=("data",),
        one="data",
        paging="rails",
        page=100,
        base="/api",
        document="none",
        limits="x",
    )


def _nest() -> Scenario:
    """The generated resources of Nest: PATCH of a PartialType, whole lists."""
    return Scenario("nest", _kinds({}, {}), base="", place="/api-json", limits="none")


def _json_server() -> Scenario:
    """json-server: any record has an id of its own; pages by `_page` and `_limit`, no key."""
    return Scenario(
        "json-server",
        _kinds({}, {}),
        paging="json-server",
        page=100,
        security="none",
        base="",
        document="none",
        limits="none",
        deleted={},
    )


def _directus() -> Scenario:
    """Collections of Directus: everything below `data`, links by their bare ids, no total unless it is asked for."""
    fields: Mapping[Resource, Mapping[str, Path]] = {
        PETS: {"category_id": ("category",)},
        ORDERS: {"pet_id": ("pet",), "ship_date": ("ship_date",)},
        STOCK: {"pet_id": ("pet",)},
    }
    made = _kinds(fields, {}, "/items/{}")
    return Scenario(
        "directus", made, many=("data",), one="data", paging="directus", page=100, base="", document="none", limits="x"
    )


def _strapi() -> Scenario:
    """Collection types of Strapi 5: documents named by texts, a PUT of what changes below `data`, and linked documents
    that are shown where a request says so."""
    fields: Mapping[Resource, Mapping[str, Path]] = {
        PETS: {"id": ("documentId",), "category_id": ("category", "documentId"), CATEGORY_NAME: ("category", "name")},
        CATEGORIES: {"id": ("documentId",)},
        ORDERS: {"id": ("documentId",), "pet_id": ("pet", "documentId")},
        STOCK: {"pet_id": ("pet", "documentId")},
    }
    written = {PETS: {"category_id": ("category",)}, ORDERS: {"pet_id": ("pet",)}, STOCK: {"pet_id": ("pet",)}}
    own = {"id": 7, "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-02T00:00:00.000Z"}
    made = _kinds(fields, {**own, "publishedAt": "2026-01-02T00:00:00.000Z"})
    made = {resource: replace(kind, writes=written.get(resource, {})) for resource, kind in made.items()}
    made[STOCK] = replace(made[STOCK], path="/stocks", own_key="documentId")
    return Scenario(
        "strapi",
        made,
        ids="hex",
        many=("data",),
        one="data",
        body="data",
        paging="strapi",
        page=100,
        change="PUT",
        puts_part=True,
        demands=(Demand("query", "populate", "*"),),
        base="/api",
        document="none",
        limits="none",
    )


def _petclinic() -> Scenario:
    """Spring's sample: pets with a type, written whole and answered 204; each is made below its owner, and nothing is
    sold."""
    fields: Mapping[Resource, Mapping[str, Path]] = {
        PETS: {"category_id": ("type", "id"), CATEGORY_NAME: ("type", "name")}
    }
    made = _kinds(fields, {})
    pets = {name: path for name, path in made[PETS].fields.items() if name != "status"}
    types = {name: path for name, path in made[CATEGORIES].fields.items() if name != "description"}
    return Scenario(
        "petclinic",
        {
            PETS: replace(
                made[PETS],
                fields=pets,
                verbs=tuple(verb for verb in Verb if verb is not Verb.CREATE),
                more={("birthDate",): "2020-09-07", ("ownerId",): 6, ("visits",): []},
                own=("ownerId", "visits"),
                required=("name", "birthDate", "type"),
            ),
            CATEGORIES: replace(made[CATEGORIES], path="/pettypes", fields=types),
        },
        change="PUT",
        changed="nothing",
        security="none",
        base="/petclinic/api",
        document="none",
        limits="none",
    )


def _petstore(version: int) -> Scenario:
    base = {2: "/v2", 3: "/api/v3"}[version]
    return replace(SCENARIOS[f"petstore-{version}"], security="api_key", base=base)


def _specification() -> Scenario:
    return replace(SCENARIOS["gitbook"], name="specification")


_ALL = (
    _specification(),
    _petstore(2),
    _petstore(3),
    _fastapi(),
    _django(),
    _spring(),
    _rails(),
    _aspnet(),
    _loopback(),
    _feathers(),
    _laravel(),
    _nest(),
    _json_server(),
    _directus(),
    _strapi(),
    _petclinic(),
)
FAMILIES: Final[Mapping[str, Scenario]] = {one.name: one for one in _ALL}
