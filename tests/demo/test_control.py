"""The control routes, the log, and what a shop must stand."""

from __future__ import annotations

import asyncio
import json
import socket

import httpx
import pytest

from tests.demo.conftest import ShopFactory
from tests.demo.judge import ERROR_FIELDS, Judge, untagged
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop


def status(shop: Shop, method: str = "GET", path: str = "/pets", **request: object) -> int:
    return httpx.request(method, shop.url + path, headers=shop.auth, **request).status_code


def test_another_client_uses_up_the_window(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("exhaust", leave=2)
    assert [status(shop) for _ in range(3)] == [200, 200, 429]
    shop.control("reset-limits")
    assert status(shop) == 200
    shop.control("exhaust", day=True)
    assert status(shop) == 429
    shop.control("reset-limits")
    shop.control("exhaust", day=True, ends_in=7_200)
    assert 7_190 <= int(httpx.get(f"{shop.url}/pets", headers=shop.auth).headers["retry-after"]) <= 7_200


def test_a_pause_for_no_reason_begins_with_the_next_request(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("pause", seconds=30)
    assert [status(shop) for _ in range(2)] == [429, 429]
    assert [line["inside_pause"] for line in shop.log_lines()] == [False, True]
    shop.control("reset-limits")
    assert status(shop) == 200


def test_a_revoked_key_comes_back_and_another_can_be_let_in(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("revoke")
    assert status(shop) == 401
    shop.control("restore", key="second")
    assert httpx.get(f"{shop.url}/pets", headers={"Authorization": "Bearer second"}).status_code == 200
    assert status(shop) == 401
    shop.control("restore")
    assert status(shop) == 200


def test_refused_writes_change_nothing_and_reads_go_on(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("refuse-writes", on=True, message="not on Sundays")
    answer = httpx.post(f"{shop.url}/categories", headers=shop.auth, json={"name": "Pond fish"})
    assert answer.json() == {"code": "writes_refused", "message": "not on Sundays", "status": 403}
    assert status(shop) == 200
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Pond fish'") == [(0,)]
    shop.control("refuse-writes", on=False)
    assert status(shop, "POST", "/categories", json={"name": "Pond fish"}) == 201


def test_an_offline_shop_closes_connections_without_an_answer(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("offline")
    with pytest.raises(httpx.TransportError):
        status(shop)
    with pytest.raises(httpx.TransportError):
        status(shop, "POST", "/categories", json={"name": "Pond fish"})
    shop.control("offline", on=False)
    assert status(shop) == 200
    assert [line["status"] for line in shop.log_lines()] == [None, None, 200]
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Pond fish'") == [(0,)]


def test_a_lost_answer_leaves_the_write_done(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("lose-answers", next=1)
    assert status(shop) == 200
    with pytest.raises(httpx.TransportError):
        status(shop, "POST", "/categories", json={"name": "Pond fish"})
    assert status(shop, "POST", "/categories", json={"name": "Pond fish"}) == 201
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Pond fish'") == [(2,)]
    assert [line.get("lost", False) for line in shop.log_lines()] == [False, True, False]


def test_a_given_answer_stands_in_for_the_next_ones(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    page = "<html>Bad gateway</html>"
    shop.control("answer-next", next=1, status=502, body=page, headers={"Content-Type": "text/html"})
    answer = httpx.get(f"{shop.url}/pets", headers=shop.auth)
    assert (answer.status_code, answer.text, answer.headers["content-type"]) == (502, page, "text/html")
    assert status(shop) == 200


def test_a_write_is_answered_with_a_yes_and_not_done(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    shop.control("answer-writes", next=1, status=201, body="{}")
    assert status(shop) == 200
    assert status(shop, "POST", "/categories", json={"name": "Pond fish"}) == 201
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Pond fish'") == [(0,)]
    assert status(shop, "POST", "/categories", json={"name": "Pond fish"}) == 201
    assert shop.rows("SELECT count(*) FROM categories WHERE name = 'Pond fish'") == [(1,)]


def test_rows_are_served_exactly_as_they_were_put_in(demo_shop: ShopFactory) -> None:
    shop = demo_shop(plan="unlimited", pets=0)
    pets = [
        {"id": 9223372036854775807, "name": "<b>bold</b>", "categoryId": 1},
        {"id": 2, "name": "قط عربي 🐈", "categoryId": 99, "status": "hibernating", "chip": None},
        {"id": "77", "name": "id as text", "categoryId": "1"},
        {"name": None},
    ]
    raw = '{"id": 9007199254740993.0, "name": NaN}'
    shop.control("rows", pets=[*pets, raw], orders=[{}, {"quantity": 1, "shipDate": "rubbish"}], inventory=[{}])
    with Judge(shop, "full") as ask:
        text = ask.client.get(f"{shop.url}/pets").text
        assert text.endswith(f",{raw[1:]}]")
        *served, _ = httpx.Response(200, text=text.replace("NaN", "0")).json()
        assert untagged(served) == pets
        assert untagged(ask("GET", "/store/orders").json()) == [{}, {"quantity": 1, "shipDate": "rubbish"}]
        assert untagged(ask.client.get(f"{shop.url}/inventory").json()) == [{}]
        assert ask.client.get(f"{shop.url}/pets/77").json() == pets[2]
        shop.control("remove", pets=[2])
        assert ask("GET", "/pets/2").status_code == 404


def test_a_control_that_makes_no_sense_is_refused(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    for action, body in (("dance", {}), ("rows", {"cars": [{}]}), ("rows", {"pets": [5]}), ("remove", {"pets": ["x"]})):
        with pytest.raises(RuntimeError):
            shop.control(action, **body)
    assert shop.control("state")["counts"]["pets"] == 200


def test_the_log_has_one_line_for_each_request_before_its_answer_arrives(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    with httpx.Client(headers=shop.auth | {"User-Agent": "tester"}) as client:
        for number in range(1, 6):
            client.get(f"{shop.url}/pets?limit=3")
            assert len(shop.log_lines()) == number
    line = shop.log_lines()[-1]
    told = {"method": "GET", "path": "/v1/pets?limit=3", "status": 200, "remaining": 55, "inside_pause": False}
    assert {**told, "client": "tester"}.items() <= line.items()
    assert line["key_id"] and shop.key not in shop.log_path.read_text()
    assert [one["time"] for one in shop.log_lines()] == sorted(one["time"] for one in shop.log_lines())


def test_the_log_has_what_a_write_brought(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    httpx.patch(f"{shop.url}/inventory/1001", headers=shop.auth, json={"quantity": 7})
    httpx.post(f"{shop.url}/pets", headers=shop.auth, json={"name": "x" * 5_000, "categoryId": 1})
    short, long = shop.log_lines()
    assert json.loads(short["body"]) == {"quantity": 7}
    assert len(long["body"]) == 2_000
    httpx.get(f"{shop.url}/inventory/1001", headers=shop.auth)
    assert "body" not in shop.log_lines()[-1]


@pytest.mark.parametrize("warm", [True, False], ids=["open connections", "new connections"])
def test_requests_that_leave_together_are_not_held_against_each_other(demo_shop: ShopFactory, warm: bool) -> None:
    shop = demo_shop(ban_at=1)

    async def together(client: httpx.AsyncClient) -> list[int]:
        answers = await asyncio.gather(*(client.get(f"{shop.url}/pets?limit=1") for _ in range(4)))
        return [answer.status_code for answer in answers]

    async def rounds() -> None:
        async with httpx.AsyncClient(headers=shop.auth) as client:
            assert await together(client) == [200] * 4
            for _ in range(5):
                shop.control("exhaust")
                if warm:
                    assert await together(client) == [429] * 4
                else:
                    async with httpx.AsyncClient(headers=shop.auth) as new:
                        assert await together(new) == [429] * 4
                shop.control("reset-limits")

    asyncio.run(rounds())
    assert not any(line["inside_pause"] for line in shop.log_lines())


@pytest.mark.parametrize(
    ("request_of", "expected"),
    [
        ({"content": b"{not json"}, 400),
        ({"content": b"\xff\xfe\x00"}, 400),
        ({"content": b"[" * 100_000}, 400),
        ({"content": b'{"name": "\\ud800"}'}, 400),
        ({"content": b'{"name": NaN}'}, 400),
        ({"content": b"[1]"}, 400),
        ({"content": b'{"name": ' + b"9" * 6000 + b"}"}, 400),
        ({"content": b'{"name": "' + b"x" * 3_000_000 + b'"}'}, 413),
        ({"content": b"name=Koi", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}, 415),
        ({"content": b'{"name": "Pond"}', "headers": {"Content-Type": "application/json; charset=utf-8"}}, 201),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_with_an_error_object(
    full_shop: Judge, request_of: dict[str, object], expected: int
) -> None:
    answer = full_shop("POST", "/categories", **{"headers": {"Content-Type": "application/json"}} | request_of)
    assert answer.status_code == expected


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/pets/", 404),
        ("GET", "/pets/abc", 404),
        ("GET", "/pets/9223372036854775808", 404),
        ("GET", "/pets/-1", 404),
        ("GET", "/pets/%00%ff", 404),
        ("GET", "/pets/" + "9" * 5000, 404),
        ("GET", "/../../etc/passwd", 404),
        ("DELETE", "/pets", 405),
        ("OPTIONS", "/pets", 405),
        ("GET", "/pets?status=gone", 400),
    ],
)
def test_a_path_that_leads_nowhere_is_answered_with_an_error_object(
    full_shop: Judge, method: str, path: str, expected: int
) -> None:
    answer = full_shop.client.request(method, full_shop.shop.url + path)
    assert answer.status_code == expected
    assert answer.json().keys() == ERROR_FIELDS
    assert "x-ratelimit-limit" in answer.headers


def test_the_shop_stands_what_is_not_http(full_shop: Judge) -> None:
    port = int(full_shop.shop.url.split(":")[2].partition("/")[0])
    for rubbish in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nA: " + b"x" * 200_000, b""):
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
            connection.sendall(rubbish)
    assert full_shop("GET", "/pets").status_code == 200


def test_a_client_that_goes_in_the_middle_of_its_request_is_no_fault_of_the_shop(full_shop: Judge) -> None:
    """A program that was killed while it sent: nothing is logged as an error, and nothing was done."""
    before = full_shop("GET", "/pets?limit=1").headers["x-total-count"]
    auth = "".join(f"{name}: {value}\r\n" for name, value in full_shop.shop.auth.items())
    head = (
        f"POST /v1/pets HTTP/1.1\r\nHost: shop\r\n{auth}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    )
    port = int(full_shop.shop.url.split(":")[2].partition("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(head.encode() + b'{"name": "Half')
        assert full_shop("GET", "/pets").status_code == 200  # the shop has begun to read it
    assert full_shop("GET", "/pets?limit=1").headers["x-total-count"] == before
