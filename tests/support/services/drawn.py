"""Services drawn at random, within what OpenAPI allows: `drawn(7)` is always the same one.

What is drawn: the fields' names, ids, statuses, envelopes, paging, keys, demands, places, how changes are made and what
answers to creations hold, what else records have, and which operations there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, Final, cast

from petstore_desktop.contract.operations import Path, Verb
from petstore_desktop.domain.records import KNOWN_STATUSES, JsonValue, Resource
from tests.support.services.scenario import CATEGORY_NAME, Demand, Kind, Paging, Scenario

PETS, CATEGORIES, ORDERS, STOCK = Resource
_NAMES: Final[Mapping[Resource, Mapping[str, tuple[str, ...]]]] = {
    PETS: {
        "id": ("id", "id", "pet id"),
        "name": ("name", "name", "pet name"),
        "category_id": ("category id", "category", "species", "species id"),
        "status": ("status", "pet status", "availability"),
    },
    CATEGORIES: {
        "id": ("id", "category id"),
        "name": ("name", "category name"),
        "description": ("description", "desc"),
    },
    ORDERS: {
        "id": ("id", "order id"),
        "pet_id": ("pet id", "pet", "animal id"),
        "quantity": ("quantity", "qty"),
        "ship_date": ("ship date", "shipping date", "shipped at"),
        "complete": ("complete", "completed", "is fulfilled"),
    },
    STOCK: {
        "pet_id": ("pet id", "pet", "animal id"),
        "quantity": ("quantity", "qty", "stock", "on hand"),
        "status": ("status", "availability"),
    },
}
"""What fields are called; of several words, to be spelled in the service's way."""
_PATHS: Final[Mapping[Resource, tuple[str, ...]]] = {
    PETS: ("/pets", "/pet", "/animals", "/api/v3/pets", "/shop/pets"),
    CATEGORIES: ("/categories", "/pet-categories", "/kinds", "/species"),
    ORDERS: ("/orders", "/store/orders", "/store/order", "/sales/orders"),
    STOCK: ("/inventory", "/stock", "/store/inventory"),
}
_MORE: Final[Mapping[str, JsonValue]] = {
    "weight": 4.25,
    "tags": ["calm", "old"],
    "photoUrls": ["one.jpg"],
    "box": {"shelf": 3, "row": "b"},
    "chip": "900-11",
    "version": 2,
    "vaccinated": True,
    "notes_of_ours": "kept as it is",
    "breeder": {"name": "Ada", "town": "Ulm"},
}
_OWN: Final[Mapping[str, JsonValue]] = {
    "createdAt": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "url": "http://shop.example/here",
    "revision": 7,
}
_STATUSES = (
    KNOWN_STATUSES,
    ("IN_STOCK", "RESERVED", "ADOPTED"),
    ("Available", "Pending", "Sold"),
    ("new", "held", "gone"),
)
_LISTS: Final[Mapping[Paging, tuple[Path, ...]]] = {
    "none": ((), ("data",), ("{}",), ("items",)),
    "limit": ((), ("results",)),
    "offset": ((), ("items",), ("{}",)),
    "more": (("items",), ("data",)),
    "page": ((), ("items",), ("{}",)),
    "rails": (("{}",), ("data",)),
    "cursor": (("data",), ("items",)),
    "hal": (("_embedded", "{}"),),
    "spring": (("content",),),
    "odata": (("value",),),
    "count": (("results",),),
    "link": ((),),
}
_SPELLED: Final[Mapping[str, Callable[[list[str]], str]]] = {
    "camel": lambda words: words[0] + "".join(word.title() for word in words[1:]),
    "snake": "_".join,
    "pascal": lambda words: "".join(word.title() for word in words),
}
_VERBS: Final[Mapping[Resource, tuple[Verb, ...]]] = {
    **dict.fromkeys((PETS, CATEGORIES, ORDERS), tuple(Verb)),
    STOCK: (Verb.LIST, Verb.READ, Verb.CHANGE),
}


def drawn(seed: int) -> Scenario:
    """The service of this number."""
    return _Draw(seed).scenario()


class _Draw:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._chance = Random(seed)
        self._spell = self._one(tuple(_SPELLED.values()))

    def scenario(self) -> Scenario:
        """One whole service."""
        chance = self._chance
        paging = self._one(tuple(_LISTS))
        scope, below = self._one(
            (("", ""),) * 4 + (("/shops/{shopId}", "/shops/7"), ("/tenants/{tenant}", "/tenants/acme"))
        )
        change = self._one(("PATCH", "PATCH", "PUT"))
        made = Scenario(
            f"drawn-{self._seed}",
            self._kinds(),
            ids=self._one(("int", "int", "uuid", "hex", "prefixed", "digits", "odd")),
            statuses=cast("tuple[str, str, str]", self._one(_STATUSES)),
            told=chance.random() < 0.7,
            many=self._one(_LISTS[paging]),
            one=self._one(("", "", "data", "{}")),
            body=self._one(("", "", "", "data", "{}")),
            paging=paging,
            page=100 if paging == "limit" else chance.randint(1, 8),
            change=change,
            created=self._one(("whole", "whole", "id", "location", "nothing")),
            patch_media="application/merge-patch+json" if change == "PATCH" and chance.random() < 0.2 else "",
            shared=chance.random() < 0.15,
            narrow=chance.random() < 0.2,
            changed=self._one(("whole", "whole", "nothing")),
            in_body=change == "PUT" and chance.random() < 0.25,
            etags=chance.random() < 0.3,
            security=self._one(("none", "bearer", "bearer", "header", "query", "two", "apart")),
            demands=self._demands(),
            limits=self._one(("none", "x", "standard")),
            base=self._one(("/v1", "", "/api/rest")),
            scope=scope,
            below=below,
            document=self._one(("openapi", "openapi", "swagger")),
        )
        return _possible(made)

    def _one(self, choices: tuple[Any, ...]) -> Any:
        return self._chance.choice(choices)

    def _kinds(self) -> dict[Resource, Kind]:
        gone = {one for one in (CATEGORIES, ORDERS, STOCK) if self._chance.random() < 0.15}
        return {resource: self._kind(resource) for resource in Resource if resource not in gone}

    def _kind(self, resource: Resource) -> Kind:
        fields = {name: (self._spelled(self._one(words)),) for name, words in _NAMES[resource].items()}
        if resource is PETS and self._chance.random() < 0.3:
            inside = self._spelled(self._one(("category", "species")))
            fields |= {"category_id": (inside, "id"), CATEGORY_NAME: (inside, "name")}
        if resource is STOCK and self._chance.random() < 0.3:
            del fields["status"]
        more, own = self._some(_MORE, 3), self._some(_OWN, 2)
        hidden = tuple(path[0] for path in more if self._chance.random() < 0.15)
        required = tuple(path[0] for name, path in fields.items() if name == "name" and self._chance.random() < 0.6)
        required += tuple(path[0] for path in more if path[0] not in hidden and self._chance.random() < 0.2)
        return Kind(
            self._one(_PATHS[resource]),
            fields,
            self._verbs(resource),
            more={**more, **own},
            own=tuple(path[0] for path in own),
            required=() if resource is STOCK else required,
            hidden=hidden,
        )

    def _spelled(self, words: str) -> str:
        return self._spell(words.split())

    def _some(self, values: Mapping[str, JsonValue], most: int) -> dict[Path, JsonValue]:
        names = self._chance.sample(sorted(values), self._chance.randint(0, most))
        return {(name,): values[name] for name in names}

    def _verbs(self, resource: Resource) -> tuple[Verb, ...]:
        kept = [verb for verb in _VERBS[resource] if verb is Verb.LIST or self._chance.random() < 0.85]
        return tuple(kept)

    def _demands(self) -> tuple[Demand, ...]:
        found: list[Demand] = []
        if self._chance.random() < 0.2:
            found.append(Demand("header", "X-Tenant", "acme", told=self._chance.random() < 0.5))
        if self._chance.random() < 0.15:
            found.append(Demand("query", "locale", "de", told=self._chance.random() < 0.5))
        return tuple(found)


def _possible(made: Scenario) -> Scenario:
    """The service without what no client could do right: texts chosen for ids, ids that are then ignored unseen, a
    whole that takes nothing of what its document hides, and addresses that no header can have."""
    kinds = dict(made.kinds)
    if made.in_body:
        kinds = {name: replace(kind, client_ids=name is not STOCK) for name, kind in kinds.items()}
    if made.narrow and made.change == "PUT":
        kinds = {name: replace(kind, hidden=()) for name, kind in kinds.items()}
    unseen = made.ids == "odd" or made.shared or made.in_body
    return replace(
        made,
        kinds=kinds,
        ids="int" if made.in_body else made.ids,
        told=made.told or made.statuses[0] == "new",
        created="whole" if unseen and made.created in ("location", "nothing") else made.created,
        shared=made.shared and not made.in_body,
        place=f"{made.base}/openapi.json" if made.scope else "",  # there it is looked for under its first name alone
    )
