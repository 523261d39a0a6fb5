"""An answer that is read in one piece shows what the same answer shows that is cut into its records."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop import log
from petstore_desktop.api.lists import pages
from petstore_desktop.api.lists.json_splitter import TEXT
from petstore_desktop.api.lists.pages import ListReader
from petstore_desktop.contract.operations import SAME
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource

KEY = 'sk-Kea/77"é-secret'
TEXTS = st.text(st.sampled_from('ab"\\/[]{},: é\ud800'), max_size=4)
RECORDS = st.fixed_dictionaries(
    {"id": st.integers(1, 9) | st.none() | st.just("x7")},
    optional={"name": TEXTS, "status": TEXTS, "categoryId": st.integers() | st.floats(), "more": st.lists(TEXTS)},
)
NAMES = st.sampled_from(["data", "pets", "items", "errors", "meta", "embedded", "animalia"])


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Answers with lists of pets under many names, a few damaged ones among them."""
    body: Any = draw(st.lists(RECORDS | TEXTS, max_size=4))
    for _ in range(draw(st.integers(0, 2))):
        body = {draw(NAMES): body, **draw(st.dictionaries(NAMES, st.lists(RECORDS, max_size=2) | TEXTS, max_size=2))}
    text = json.dumps(body, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(text)))
        text = (
            text[:at] + draw(st.sampled_from([b"", b",", b"]", b"\xff", b"NaN"])) + text[at + draw(st.integers(0, 2)) :]
        )
    return text


async def _shown(body: bytes, size: int) -> tuple[list[Any], Any]:
    reader = ListReader(Resource.PETS, (), False, lambda _values: SAME)
    parts: list[Any] = []

    async def consume() -> None:
        while (part := await reader.parts.get()) is not None:
            parts.extend([*part.items, *part.set_aside])
            reader.parts.task_done()

    consumer = asyncio.ensure_future(consume())
    try:
        for begin in range(0, len(body), size):
            await reader.take(body[begin : begin + size])
        await reader.end()
        listing = reader.over()
        return parts, (listing.next, listing.more, listing.total, reader.count)
    except AnswerUnusable as error:
        return [], error.code
    finally:
        consumer.cancel()


def shown(body: bytes, text: int, size: int = 1_000_000) -> tuple[list[Any], Any]:
    """The records and what is said beside them, or why there are none; answers of up to `text` bytes in one piece."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "TEXT", text)
        return asyncio.run(_shown(body, size))


@given(bodies())
def test_in_one_piece_or_cut_an_answer_shows_the_same(body: bytes) -> None:
    records, said = shown(body, TEXT)
    assert (records, said) == shown(body, -1) or said in ("not-json", "cut-short", "bad-text")


@pytest.mark.parametrize("more", [0, 1])
def test_an_answer_is_read_in_one_piece_up_to_its_bound(more: int) -> None:
    body = json.dumps({"data": [{"id": 7, "name": "Koi"}], "total": 1}).encode()
    body += b" " * (1000 + more - len(body))
    in_pieces = shown(body, 1000, 300)
    assert in_pieces == shown(body, TEXT)
    assert in_pieces[1] == (None, None, 1, 1)


@pytest.mark.parametrize("ascii_", [False, True])
@pytest.mark.parametrize("slash", ["/", "\\/", "\\u002f", "\\u002F"])
def test_a_record_with_the_key_is_set_aside_however_json_writes_it(ascii_: bool, slash: str) -> None:
    log.keep_secret(KEY)
    rows = [{"id": 1, "name": "Koi"}, {"id": 2, "name": f"it is {KEY}."}]
    body = json.dumps({"data": rows}, ensure_ascii=ascii_).replace("/", slash).encode()
    for text in (TEXT, -1):
        found, _ = shown(body, text)
        assert [one[0] for one in found[:-1]] == [1]
        assert found[-1].endswith("it holds the key")
