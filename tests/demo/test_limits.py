"""The limits over a socket, asked with plain httpx."""

from __future__ import annotations

import httpx
import pytest

from tests.demo.conftest import ShopFactory
from tests.program.running import until
from tests.support.shop import Shop

LIMIT_HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")


def wait_out_the_pause(shop: Shop) -> None:
    """Wait until no key of the shop is told to wait any more."""
    until(lambda: shop.control("state")["keys"][0]["paused_until"] is None, "the end of the pause")


@pytest.mark.parametrize(("plan", "limit"), [("pro", "300"), ("business", "1000")])
def test_each_plan_says_its_limit(demo_shop: ShopFactory, plan: str, limit: str) -> None:
    shop = demo_shop(plan=plan, pets=5)
    assert httpx.get(f"{shop.url}/categories?limit=1", headers=shop.auth).headers["x-ratelimit-limit"] == limit


def test_a_fresh_window_gives_exactly_as_many_answers_as_the_plan_says(demo_shop: ShopFactory) -> None:
    shop, limit = demo_shop(plan="free", pets=5), 60
    with httpx.Client(headers=shop.auth) as client:
        answers = [client.get(f"{shop.url}/categories?limit=1") for _ in range(limit + 1)]
    assert [answer.status_code for answer in answers] == [200] * limit + [429]
    assert [int(answer.headers["x-ratelimit-remaining"]) for answer in answers] == [*range(limit - 1, -1, -1), 0]
    assert {answer.headers["x-ratelimit-limit"] for answer in answers} == {str(limit)}
    assert len({answer.headers["x-ratelimit-reset"] for answer in answers}) == 1


def test_a_429_says_how_long_to_wait_and_waiting_is_enough(demo_shop: ShopFactory) -> None:
    shop = demo_shop(rpm=2, minute=1)
    with httpx.Client(headers=shop.auth) as client:
        answers = [client.get(f"{shop.url}/pets/1001") for _ in range(3)]
        assert answers[2].status_code == 429
        assert answers[2].json()["code"] == "rate_limited"
        assert answers[2].headers["retry-after"] == "1"
        wait_out_the_pause(shop)
        assert client.get(f"{shop.url}/pets/1001").status_code == 200


def test_the_day_has_a_limit_of_its_own(demo_shop: ShopFactory) -> None:
    shop = demo_shop(rpd=3, day=5000)
    with httpx.Client(headers=shop.auth) as client:
        answers = [client.get(f"{shop.url}/pets") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 4990 <= int(answers[3].headers["retry-after"]) <= 5000
    assert answers[3].headers["x-ratelimit-remaining"] == "57"


def test_the_third_request_inside_a_pause_is_answered_with_a_ban(demo_shop: ShopFactory) -> None:
    shop = demo_shop(rpm=2)
    answers = [httpx.get(f"{shop.url}/pets", headers=shop.auth) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429, 429, 403, 403]
    assert answers[5].json()["code"] == "key_banned"
    assert answers[5].headers["retry-after"] == "900"
    assert [line["inside_pause"] for line in shop.log_lines()] == [False, False, False, True, True, True, True]


@pytest.mark.parametrize("reuse", [True, False], ids=["one connection", "a connection each"])
def test_ban_at_1_bans_at_the_first_request_inside_a_pause(demo_shop: ShopFactory, reuse: bool) -> None:
    shop = demo_shop(rpm=1, ban_at=1, ban_seconds=7)
    connection = {} if reuse else {"Connection": "close"}
    with httpx.Client(headers=shop.auth | connection) as client:
        answers = [client.get(f"{shop.url}/pets") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 429, 403]
    assert answers[2].headers["retry-after"] == "7"


def test_a_304_counts_like_any_other_request(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    with httpx.Client(headers=shop.auth) as client:
        tag = client.get(f"{shop.url}/pets/1001").headers["etag"]
        answer = client.get(f"{shop.url}/pets/1001", headers={"If-None-Match": tag})
    assert (answer.status_code, answer.headers["x-ratelimit-remaining"]) == (304, "58")


@pytest.mark.parametrize(
    "header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic dGVzdDo="}, {"api_key": "x"}]
)
def test_a_wrong_key_is_refused_with_the_limit_headers_and_uses_up_nothing(
    demo_shop: ShopFactory, header: dict[str, str]
) -> None:
    shop = demo_shop()
    answer = httpx.get(f"{shop.url}/pets", headers=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert all(name in answer.headers for name in LIMIT_HEADERS)
    assert httpx.get(f"{shop.url}/pets", headers=shop.auth).headers["x-ratelimit-remaining"] == "59"


def test_every_answer_carries_the_three_headers_errors_too(demo_shop: ShopFactory) -> None:
    shop = demo_shop(rpm=6)
    host = shop.url.removesuffix("/v1")
    with httpx.Client(headers=shop.auth) as client:
        answers = [
            client.get(f"{shop.url}/pets/7"),
            client.get(f"{shop.url}/nothing"),
            client.put(f"{shop.url}/pets"),
            client.post(f"{shop.url}/pets", content=b"{"),
            client.request("HEAD", f"{shop.url}/pets"),
            client.get(host),
            client.get(f"{shop.url}/pets"),
        ]
    answers.append(httpx.get(host))
    assert [answer.status_code for answer in answers] == [404, 404, 405, 415, 200, 404, 429, 404]
    for answer in answers:
        assert all(name in answer.headers for name in LIMIT_HEADERS)
    shop.control("ban")
    banned = httpx.get(f"{shop.url}/pets", headers=shop.auth)
    assert banned.status_code == 403
    assert all(name in banned.headers for name in LIMIT_HEADERS)
