"""Of a list that is too long the beginning tells whether it is one."""

from __future__ import annotations

import json

import httpx
import pytest

from petstore_desktop.api.check.base_paths import pointed
from petstore_desktop.api.check.header_checks import closed, read_beginning
from petstore_desktop.api.http.transport import Answer
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource

WHOLE = json.dumps(
    {"meta": {"total": 3}, "orders": [{"id": 1, "note": 'a "[{," é', "tags": [1, [2]]}, {"id": 2}, {"id": 3}]},
    ensure_ascii=False,
).encode()


def cut(body: bytes) -> Answer:
    return Answer(200, httpx.Headers({"content-type": "application/json"}), "https://shop.example/v1/orders", body)


def test_wherever_a_list_is_cut_what_came_of_it_is_json() -> None:
    for length in range(1, len(WHOLE) + 1):
        assert WHOLE.startswith(closed(WHOLE[:length]).rstrip(b"]}").rstrip())
        assert isinstance(json.loads(closed(WHOLE[:length])), dict)
    assert len(read_beginning(Resource.ORDERS, cut(WHOLE[:-30])).items) >= 1


@pytest.mark.parametrize(
    "body",
    [
        *(
            b"hello " * 9,
            b"hello, {" * 9,
            b'["a", "b", ',
            b'[[{"id": 1}, ',
            b'{"pets": "many", "x": {"y": ',
            b"[{}] and then",
        ),
        *(b'[{"id": 1}, hello, {', b'"a text [{', b"[" * 100_000, b"", b"[", b"\xff\xfe[{"),
    ],
)
def test_what_is_no_list_of_objects_so_far_is_none(body: bytes) -> None:
    with pytest.raises(AnswerUnusable):
        read_beginning(Resource.ORDERS, cut(body))


@pytest.mark.parametrize("body", [b'[{"id": 1, "photo": "AAAA', b'[{"id": 1}, {"id"', b'{"data": [{"id": 1}, {'])
def test_a_list_whose_first_object_has_begun_is_one(body: bytes) -> None:
    assert read_beginning(Resource.ORDERS, cut(body)).items[0] in ({"id": 1}, {})


@pytest.mark.parametrize(
    ("target", "shown", "circle"),
    [
        ("https://new.example/v2/store/orders?limit=1", "https://new.example/v2", False),
        ("https://shop.example/v1/store/orders?limit=1", "https://shop.example/v1", True),
        ("https://shop.example/login", "https://shop.example/login", False),
        ("https://new.example/store/orders", "https://new.example", False),
        ("http://[", "http://[", False),
        ("", "", False),
    ],
)
def test_a_redirect_is_shown_as_a_base_address(target: str, shown: str, circle: bool) -> None:
    asked = "https://shop.example/v1/store/orders?limit=1"
    assert pointed("https://shop.example/v1", asked, target) == {"target": shown, "circle": circle}
