"""The ways to speak that people know, each as a scenario: `SCENARIOS["json-api"]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from petstore_desktop.contract.operations import Path, Verb
from petstore_desktop.domain.records import JsonValue, Resource
from tests.support.services.scenario import CATEGORY_NAME, Demand, Kind, Scenario, standard

PETS, CATEGORIES, ORDERS, STOCK = Resource
NO_CREATION = tuple(verb for verb in Verb if verb is not Verb.CREATE)
OF_STOCK = (Verb.LIST, Verb.READ, Verb.CHANGE)
OF_ORDERS = (Verb.LIST, Verb.READ, Verb.CREATE, Verb.CHANGE, Verb.DELETE)
NAMED: Final = {"category_id": ("category", "id"), CATEGORY_NAME: ("category", "name")}
"""A pet's category as an object."""
OWN_WORDS = ("IN_STOCK", "RESERVED", "ADOPTED")


def kinds(change: Mapping[Resource, Mapping[str, Path]] | None = None, **more: JsonValue) -> dict[Resource, Kind]:
    """All four resources with the specification's fields, but for what is changed; each has `more` besides."""
    paths = {PETS: "/pets", CATEGORIES: "/categories", ORDERS: "/orders", STOCK: "/inventory"}
    besides: dict[Path, JsonValue] = {(name,): value for name, value in more.items()}
    return {
        resource: Kind(
            path,
            {**standard(resource), **(change or {}).get(resource, {})},
            more=besides,
            verbs=OF_STOCK if resource is STOCK else tuple(Verb),
            required=("name",) if resource in (PETS, CATEGORIES) else (),
        )
        for resource, path in paths.items()
    }


def _gitbook() -> Scenario:
    """The nine operations of the specification, without a document."""
    made = kinds()
    offered = {
        PETS: (Verb.LIST, Verb.READ, Verb.CREATE),
        CATEGORIES: (Verb.LIST, Verb.CREATE),
        ORDERS: (Verb.LIST, Verb.DELETE),
        STOCK: (Verb.LIST, Verb.CHANGE),
    }
    made[ORDERS] = replace(made[ORDERS], path="/store/orders")
    every = {resource: replace(kind, verbs=offered[resource]) for resource, kind in made.items()}
    return Scenario("gitbook", every, document="none", paging="limit", page=100)


def _petstore(version: int) -> Scenario:
    pets = Kind(
        "/pet",
        {**standard(PETS), **NAMED},
        lists="/pet/findByStatus",
        more={("photoUrls",): ["one.jpg", "two.jpg"], ("tags",): [{"id": 7, "name": "calm"}]},
        required=("name", "photoUrls"),
        by_status=True,
        client_ids=True,
    )
    fields = {**standard(ORDERS), "status": ("status",)}
    orders = Kind("/store/order", fields, (Verb.READ, Verb.CREATE, Verb.DELETE), client_ids=True)
    return Scenario(
        f"petstore-{version}",
        {PETS: pets, ORDERS: orders},
        order_words=("placed", "approved", "delivered"),
        change="PUT",
        in_body=True,
        security="header",
        limits="none",
        document="openapi" if version == 3 else "swagger",
    )


def _petclinic() -> Scenario:
    """Pets are made below their owners; they have a type and no status; nothing is in stock."""
    fields: dict[str, Path] = {"id": ("id",), "name": ("name",), "category_id": ("type", "id")}
    pets = Kind(
        "/pets",
        {**fields, CATEGORY_NAME: ("type", "name")},
        makes="/owners/{ownerId}/pets",
        more={("birthDate",): "2020-09-07", ("ownerId",): 3, ("visits",): [{"id": 1, "description": "rabies shot"}]},
        own=("ownerId", "visits"),
        required=("name", "birthDate", "type"),
    )
    types = Kind("/pettypes", standard(CATEGORIES, "description"), required=("name",))
    return Scenario(
        "petclinic",
        {PETS: pets, CATEGORIES: types},
        base="/petclinic/api",
        place="/petclinic/v3/api-docs",
        change="PUT",
        security="none",
        limits="none",
    )


def _json_api() -> Scenario:
    found: dict[Resource, Kind] = {}
    for resource, kind in kinds().items():
        fields = {name: ("attributes", *path) for name, path in kind.fields.items()}
        more: dict[Path, JsonValue] = {("type",): resource.value, ("attributes", "note"): "kept as it is"}
        fields |= {} if resource is STOCK else {"id": ("id",)}
        for name, other in (("category_id", "category"), ("pet_id", "pet")):
            if name in fields and resource is not STOCK:
                fields[name] = ("relationships", other, "data", "id")
                more["relationships", other, "data", "type"] = {"category": "categories", "pet": "pets"}[other]
        if resource is STOCK:
            fields["pet_id"] = ("id",)
        found[resource] = replace(kind, fields=fields, more=more, required=("type",))
    return Scenario(
        "json-api",
        found,
        ids="digits",
        many=("data",),
        one="data",
        body="data",
        media="application/vnd.api+json",
        paging="jsonapi",
    )


def _mongo() -> Scenario:
    own: dict[Resource, Mapping[str, Path]] = {one: {"id": ("_id",)} for one in (PETS, CATEGORIES, ORDERS)}
    own[PETS] = {"id": ("_id",), "category_id": ("category",)}
    own[ORDERS] = {"id": ("_id",), "pet_id": ("pet",), "ship_date": ("shippedAt",)}
    own[STOCK] = {"pet_id": ("pet",), "quantity": ("onHand",)}
    found = {
        resource: replace(kind, own=("__v", "createdAt"))
        for resource, kind in kinds(own, __v=0, createdAt="2026-01-01T00:00:00Z", tags=["a", "b"]).items()
    }
    return Scenario("mongo", found, ids="hex", many=("docs",), paging="more", security="header")


def _rails() -> Scenario:
    own: dict[Resource, Mapping[str, Path]] = {
        PETS: {"category_id": ("category_id",)},
        ORDERS: {"pet_id": ("pet_id",), "ship_date": ("shipped_at",), "complete": ("completed",)},
        STOCK: {"pet_id": ("pet_id",)},
    }
    found = {
        resource: replace(kind, own=("created_at", "updated_at"))
        for resource, kind in kinds(own, created_at="2026-01-01", updated_at="2026-01-02", lock_version=3).items()
    }
    return Scenario("rails", found, many=("{}",), one="{}", body="{}", paging="rails")


def _spring() -> Scenario:
    found = kinds({PETS: NAMED}, version=2)
    return Scenario(
        "spring",
        found,
        statuses=OWN_WORDS,
        many=("content",),
        paging="spring",
        change="PUT",
        place="/v3/api-docs",
        etags=True,
    )


def _hashed() -> Scenario:
    """An ETag is a hash of the answer: Spring's ShallowEtagHeaderFilter, Django's ConditionalGetMiddleware."""
    return Scenario("hashed", kinds({PETS: NAMED}), paging="page", many=("data",), etags=True, hashed=True)


def _told_by_writes() -> Scenario:
    """Lists alone show records, and no ETags; answers to writes do."""
    verbs = tuple(verb for verb in Verb if verb is not Verb.READ)
    found = {one: replace(kind, verbs=tuple(v for v in kind.verbs if v in verbs)) for one, kind in kinds().items()}
    return Scenario("told-by-writes", found, paging="offset", etags=True)


def _hal() -> Scenario:
    links: dict[str, Any] = {"self": {"href": "/here"}}
    found = {resource: replace(kind, own=("_links",)) for resource, kind in kinds(_links=links).items()}
    return Scenario("hal", found, ids="uuid", many=("_embedded", "{}"), paging="hal", limits="standard")


def _odata() -> Scenario:
    def pascal(kind: Kind) -> dict[str, Path]:
        return {name: (path[0][0].upper() + path[0][1:],) for name, path in kind.fields.items()}

    found = {
        resource: replace(kind, fields=pascal(kind), path=f"/{kind.path[1:].title()}", required=())
        for resource, kind in kinds().items()
    }
    return Scenario("odata", found, many=("value",), paging="odata", base="/odata")


def _by_name() -> Scenario:
    """Pets that name their species by a word, and no list of species: a list in Django's way."""
    own: dict[Resource, Mapping[str, Path]] = {PETS: {"category_id": ("species_id",)}, ORDERS: {"pet_id": ("pet",)}}
    found = kinds(own, url="http://shop.example/here")
    del found[CATEGORIES]
    found = {
        resource: replace(kind, own=("url",), path=f"{kind.path}/", item=f"{kind.path}/{{id}}/")
        for resource, kind in found.items()
    }
    return Scenario("django", found, ids="prefixed", many=("results",), paging="count", created="id")


def _hidden() -> Scenario:
    """A PUT of the whole, and fields of which the document says nothing."""
    found = kinds({PETS: NAMED}, memo="kept", weight=4.25, box={"shelf": 3, "tags": ["a", None]}, chip=None)
    found = {resource: replace(kind, hidden=("memo", "box", "chip")) for resource, kind in found.items()}
    return Scenario("hidden", found, change="PUT", changed="nothing")


def _jsend() -> Scenario:
    """Every answer in `{"status": "success", "data": {"pet": ...}}`."""
    return Scenario("jsend", kinds(), many=("data", "{}"), one="data.{}", around={"status": "success"}, told=False)


def _narrow() -> Scenario:
    """A PUT that takes the known fields alone, of records that have more."""
    found = kinds({PETS: NAMED}, createdAt="2026-01-01T00:00:00Z", chip="x7")
    found = {resource: replace(kind, own=("createdAt", "chip")) for resource, kind in found.items()}
    return Scenario("narrow", found, narrow=True, change="PUT", etags=True)


def _rooms() -> Scenario:
    """Fields in an object called as JSON:API has it, at a service that is none of its kind."""
    found = kinds({PETS: {"name": ("attributes", "name"), "status": ("attributes", "status")}})
    found[PETS] = replace(found[PETS], more={("attributes", "colour"): "red"}, required=("attributes",))
    return Scenario("rooms", found)


def _shared() -> Scenario:
    """One schema for what comes and what goes, by a service that sets ids and times itself and ignores those sent."""
    found = kinds({PETS: NAMED}, createdAt="2026-01-01T00:00:00Z")
    found = {resource: replace(kind, own=("createdAt",)) for resource, kind in found.items()}
    return Scenario("shared", found, shared=True, change="PUT", paging="page", many=("data",))


def _undocumented() -> list[Scenario]:
    """The nine operations in other shapes, without a document."""
    nine, found = _gitbook(), list[Scenario]()
    for one in (_rails(), _mongo(), _json_api(), _hal(), _jsend()):
        own = {
            resource: replace(kind, path=nine.kinds[resource].path, verbs=nine.kinds[resource].verbs)
            for resource, kind in one.kinds.items()
        }
        found.append(replace(one, name=f"{one.name}-silent", kinds=own, document="none", security="bearer", page=100))
    return found


def _without_category() -> Scenario:
    own = {resource: kind for resource, kind in kinds().items() if resource is not CATEGORIES}
    own[PETS] = replace(own[PETS], fields=standard(PETS, "category_id"))
    return Scenario("no-category", own, paging="link", security="query", created="location")


def _all() -> list[Scenario]:
    plain = kinds()
    rest = _undocumented()
    shop = Demand("header", "X-Shop", "north", told=False)
    return [
        _gitbook(),
        _petstore(3),
        _petstore(2),
        _petclinic(),
        _json_api(),
        _mongo(),
        _rails(),
        _spring(),
        _hal(),
        _odata(),
        _by_name(),
        _without_category(),
        Scenario("tenant", plain, scope="/shops/{shopId}", below="/shops/7", paging="offset"),
        Scenario("two-keys", plain, security="two", paging="cursor", many=("items",)),
        Scenario("key-apart", plain, security="apart", document="swagger", change="PUT"),
        Scenario("demands", plain, demands=(shop, Demand("query", "version", "2")), paging="page", many=("data",)),
        _hidden(),
        _jsend(),
        _narrow(),
        _rooms(),
        Scenario("odd-ids", kinds({PETS: NAMED}), ids="odd", paging="offset"),
        _shared(),
        Scenario("stripe", kinds({PETS: NAMED}), ids="prefixed", many=("data",), paging="stripe"),
        Scenario("merge", kinds({PETS: NAMED}), ids="uuid", patch_media="application/merge-patch+json", shared=True),
        Scenario("posts", kinds({PETS: NAMED}, memo="kept"), change="POST", ids="prefixed", created="nothing"),
        _hashed(),
        _told_by_writes(),
        Scenario("accepts", kinds({PETS: NAMED}), paging="page", many=("data",), accepts=True),
        *rest,
    ]


SCENARIOS: Final[Mapping[str, Scenario]] = {one.name: one for one in _all()}
