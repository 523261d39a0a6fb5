"""Bodies that nobody would write, made from the schemas of the document and then damaged byte by byte, and what the
program makes of them, judged by `hostile_judge`.

    with Fuzz(seed) as fuzz:
        fuzz.run(2_000)
    fuzz.tally, fuzz.wrong
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Self

import httpx
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from petstore_desktop.api.lists import json_splitter as json_cut
from petstore_desktop.api.lists import pages as list_reading
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Record, Ref, Resource
from petstore_desktop.resources import path
from tests.api.speaking import BY_PERSON, speaking
from tests.support.hostile_judge import is_bare_list, is_json, wrong_list, wrong_rows
from tests.support.hostile_service import CHANGES, CREATES, contract

ENOUGH = 10
"""Wrong ones, after which nobody looks for more."""
EACH = 10
"""Bodies made of each one that Hypothesis finds: itself, and damaged ones."""
SCHEMAS: Mapping[Resource, str] = {
    Resource.PETS: "Pet",
    Resource.CATEGORIES: "Category",
    Resource.ORDERS: "Order",
    Resource.INVENTORY: "InventoryItem",
}
ENVELOPES = ("data", "items", "results", "herd", "embedded")
EDGES = [
    b"NaN", b"Infinity", b"-0", b"1e400", b"9223372036854775808", b"-9223372036854775809", b"5.0", b"true", b"null",
    b'"\\ud800"', b'"\\u0000"', b"9" * 4_400, b"[" * 300 + b"]" * 300, b'"7"', b'"007"', b"{}", b"[]", b'""',
]  # fmt: skip
SIGNS = b'[]{}",:\\0123456789eE+-.tfnN \n\xff\xc3\xed\xa0\x80\x00'

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


def values_of(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """What the document says that a field may hold."""
    if "$ref" in schema:
        return values_of(_schemas()[schema["$ref"].rpartition("/")[2]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema.get("type"):
        case "integer":
            return st.integers(-(2**63), 2**63 - 1) | st.integers(0, 20)
        case "boolean":
            return st.booleans()
        case "string" if schema.get("format") == "date-time":
            return st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
        case "string":
            return st.text(max_size=8)
        case _:
            return JUNK


def record_of(resource: Resource) -> st.SearchStrategy[dict[str, Any]]:
    """A record by its schema; any field may be missing, hold something else, or stand beside others."""
    fields = {name: values_of(schema) for name, schema in _properties(_schemas()[SCHEMAS[resource]]).items()}
    mostly = {name: st.one_of(value, value, value, JUNK) for name, value in fields.items()}
    ids = [name for name in ("id", "petId") if name in fields][:1]
    required = {name: mostly.pop(name) for name in ids}
    extra = st.dictionaries(st.text(max_size=4), JUNK, max_size=2)
    good = st.fixed_dictionaries({name: fields[name] for name in fields})
    odd = st.builds(lambda one, more: {**more, **one}, st.fixed_dictionaries(required, optional=mostly), extra)
    return st.one_of(good, odd)


def _schemas() -> Mapping[str, Any]:
    return json.loads(path("openapi", "full.json").read_bytes())["components"]["schemas"]


def _properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(schema.get("properties", {}))
    for part in schema.get("allOf", ()):
        whole = _schemas()[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        found |= _properties(whole)
    return found


def lists_of(resource: Resource) -> st.SearchStrategy[Any]:
    """A list answer, bare or in an envelope."""
    records = st.lists(st.one_of(record_of(resource), record_of(resource), record_of(resource), JUNK), max_size=7)
    around = st.dictionaries(st.text(max_size=4), JUNK, max_size=2)
    names = st.sampled_from([*ENVELOPES, resource.value])
    wrapped = st.builds(lambda name, rows, more: {**more, name: rows, "next": None}, names, records, around)
    return st.one_of(records, records, wrapped)


def damaged(body: bytes, dice: random.Random) -> bytes:
    """The body with some bytes changed, cut, doubled, or put in."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(len(body) + 1)
        match dice.choice((0, 1, 2, 3, 4, 5, 5, 5, 5)):
            case 0:
                body = body[:at] + bytes([dice.choice(SIGNS)]) + body[at + 1 :]
            case 1:
                body = body[:at]
            case 2:
                body = body[:at] + body[at + dice.randrange(1, 9) :]
            case 3:
                body = body[:at] + body[dice.randrange(len(body) + 1) :][:40] + body[at:]
            case 4:
                body = body[:at] + dice.choice(EDGES) + body[at:]
            case _:
                body = _with_edge(body, dice)
    return body


def _with_edge(body: bytes, dice: random.Random) -> bytes:
    """One of the values becomes an odd one: the text between a colon and the next comma."""
    colons = [place for place, sign in enumerate(body) if sign == ord(":")]
    if not colons:
        return body
    at = dice.choice(colons) + 1
    ends = [place for sign in b",}" if (place := body.find(sign, at)) >= 0]
    return body[:at] + dice.choice(EDGES) + body[min(ends, default=at) :]


class Fuzz:
    """Feeds bodies to a client and judges what comes of them. `plant` may add rows to what was accepted: with it the
    judge is judged."""

    def __init__(self, seed_: int, plant: Callable[[list[Record]], list[Record]] = list) -> None:
        self.tally: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._seed = seed_
        self._dice = random.Random(seed_)
        self._plant = plant
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._body = b""
        self._handed: list[Record] = []
        self._rows = list_reading.ROWS, json_cut.ROWS, json_cut.LEAST

    def __enter__(self) -> Self:
        self._client = self._runner.run(self._stack.enter_async_context(speaking(self._answer, contract())))
        return self

    def __exit__(self, *_: object) -> None:
        list_reading.ROWS, json_cut.ROWS, json_cut.LEAST = self._rows
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def run(self, bodies: int) -> None:
        """So many bodies."""

        @settings(
            max_examples=max(1, bodies // EACH),
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data())
        def one(data: st.DataObject) -> None:
            resource = data.draw(st.sampled_from(list(Resource)))
            is_list = data.draw(st.integers(0, 4)) > 0
            value = data.draw(lists_of(resource) if is_list else record_of(resource))
            said = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
            if len(self.wrong) < ENOUGH:
                self._each(resource, said, is_list=is_list)

        seed(self._seed)(one)()

    def _each(self, resource: Resource, said: str, *, is_list: bool) -> None:
        body = said.encode("utf-8", "surrogatepass")
        for number in range(EACH):
            self.one(resource, body if not number else damaged(body, self._dice), is_list=is_list)

    def one(self, resource: Resource, body: bytes, *, is_list: bool) -> None:
        """One body as the answer to one request."""
        self._body, self._handed = body, []
        # Small parts, so that what comes before a fault is seen, too.
        list_reading.ROWS, json_cut.ROWS, json_cut.LEAST = self._dice.choice(((500, 500, 2**14), (2, 2, 1), (1, 1, 5)))
        act = self._dice.choice([Op.PETS_LIST] if is_list else [Op.PET_READ, Op.PET_CREATE, Op.PET_CHANGE])
        try:
            self._runner.run(self._act(resource, act))
            ended = "accepted"
        except ShopError as error:
            ended = error.code
        except Exception as error:  # noqa: BLE001 -- that is what is looked for
            self.wrong.append(f"unhandled {error!r} at {body[:300]!r}")
            return
        self.tally["bodies"] += 1
        self.tally[f"{'lists' if is_list else 'records'}: {ended}"] += 1
        self.tally["rows accepted"] += len(self._handed)
        self._judge(resource, is_list=is_list, well=ended == "accepted")

    def _judge(self, resource: Resource, *, is_list: bool, well: bool) -> None:
        rows = self._plant(self._handed)
        self.wrong += wrong_rows(resource.value, self._body, rows)
        if is_list and well and not is_json(self._body):
            self.wrong.append(f"accepted what is no JSON: {self._body[:300]!r}")
        if is_list and is_bare_list(self._body):
            if well:
                self.wrong += wrong_list(resource.value, self._body, rows)
            else:
                self.wrong.append(f"refused a good list: {self._body[:300]!r}")

    async def _act(self, resource: Resource, act: Op) -> None:
        ref = Ref(resource, 5)
        verb = act.value.partition(".")[2]
        if verb == "list":
            async for page in self._client.pages(resource, lambda: BY_PERSON):
                self._handed += [row.record for row in page.rows]
        elif verb == "read":
            self._handed.append((await self._client.read(ref, BY_PERSON)).record)
        elif verb == "create" and resource in CREATES:
            made = await self._client.create(resource, CREATES[resource], BY_PERSON)
            self._handed += [] if made.row is None else [made.row.record]
        else:
            fields = {name: value for name, value in CHANGES[resource].items() if name != "whole"}
            shown = await self._client.change(ref, fields, sending=BY_PERSON)
            self._handed += [] if shown.row is None else [shown.row.record]

    def _answer(self, _: httpx.Request) -> httpx.Response:
        pieces = max(1, self._dice.randrange(len(self._body) + 2))

        async def stream() -> Any:
            for start in range(0, len(self._body), pieces):
                yield self._body[start : start + pieces]

        return httpx.Response(200, content=stream(), headers={"Content-Type": "application/json"})
