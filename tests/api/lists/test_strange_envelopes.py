"""Of an answer with strange envelopes the rows of its first list are shown, or it is refused; and no record that holds
the key is kept, however JSON writes it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from petstore_desktop import log
from petstore_desktop.api.lists.pages import ListReader
from petstore_desktop.contract.operations import SAME
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource

KEY = 'sk-Kea/77"é-secret'
ROWS = json.dumps([{"id": 1, "name": "Koi"}, {"id": 2, "name": "Tang"}])


async def _shown(body: bytes) -> list[Any]:
    reader = ListReader(Resource.PETS, (), False, lambda _values: SAME)
    shown: list[Any] = []

    async def take() -> None:
        while (part := await reader.parts.get()) is not None:
            shown.extend([*(item[0] for item in part.items), *part.set_aside])
            reader.parts.task_done()

    taking = asyncio.ensure_future(take())
    try:
        await reader.take(body)
        await reader.end()
    except AnswerUnusable as error:
        return [error.code]
    finally:
        taking.cancel()
    return shown


@pytest.mark.parametrize(
    ("envelope", "shown"),
    [
        ('{"data":ROWS,"data":null}', [1, 2]),
        ('{"data":ROWS,"data":[]}', [1, 2]),
        ('{"data":ROWS,"data":{}}', ["not-a-list"]),
        ('{"data":ROWS,"data":ROWS}', ["two-lists"]),
        ('{"results":ROWS,"data":{"facets":[]}}', [1, 2]),
        ('{"results":ROWS,"data":{"facets":["a"]}}', ["two-lists"]),
        ('{"items":ROWS,"pets":{"facets":[]}}', [1, 2]),
        ('{"pets":{"foo":ROWS},"items":ROWS}', ["two-lists"]),
        ('{"data":{"items":ROWS},"data":{"total":2}}', ["not-a-list"]),
        ('{"data":ROWS,"d\\u0061ta":[]}', [1, 2]),
    ],
)
def test_a_name_that_comes_twice_or_a_list_beside_it_takes_no_row_away(envelope: str, shown: list[object]) -> None:
    assert asyncio.run(_shown(envelope.replace("ROWS", ROWS).encode())) == shown


@pytest.mark.parametrize("ascii_", [False, True])
@pytest.mark.parametrize("slash", ["/", "\\/", "\\u002f", "\\u002F"])
def test_a_record_with_the_key_is_set_aside_however_json_writes_it(ascii_: bool, slash: str) -> None:
    log.keep_secret(KEY)
    rows = [{"id": 1, "name": "Koi"}, {"id": 2, "name": f"жук\\/\\{KEY}."}]
    body = json.dumps({"data": rows}, ensure_ascii=ascii_).replace("/", slash).encode()
    good, bad = asyncio.run(_shown(body))
    assert (good, bad.endswith("it holds the key")) == (1, True)
