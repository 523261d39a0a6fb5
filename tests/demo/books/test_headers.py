"""What the shop says in headers, with a wrong clock, of other windows, in other forms; and that it judges by the truth
all the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from functools import partial

import httpx
import pytest

from tests.demo.conftest import ShopFactory
from tests.support.shop import Shop

HOURS = 3 * 3600 + 120


def ask(shop: Shop, path: str = "/pets?limit=1") -> httpx.Response:
    return httpx.get(shop.url + path, headers=shop.auth)


def date_of(answer: httpx.Response, header: str = "date") -> float:
    (value,) = answer.headers.get_list(header)
    return parsedate_to_datetime(value).timestamp()


def limits(answer: httpx.Response) -> dict[str, int]:
    prefix = "x-ratelimit-"
    return {name.removeprefix(prefix): int(value) for name, value in answer.headers.items() if name.startswith(prefix)}


def is_now(told: Callable[[], float]) -> bool:
    """Whether what is told (whole seconds) is the time between asking and answer."""
    began = time.time()
    return began - 1 <= told() <= time.time()


def test_every_answer_gives_the_time_once(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    for path in ("/pets", "/nothing", "/openapi.json"):
        assert is_now(partial(lambda path: date_of(ask(shop, path)), path))
    shop.control("answer-next", status=503)
    assert is_now(lambda: date_of(ask(shop)))


@pytest.mark.parametrize("ahead", [HOURS, -HOURS])
def test_a_wrong_clock_moves_date_and_resets_and_nothing_that_the_shop_judges_by(
    demo_shop: ShopFactory, ahead: int
) -> None:
    shop = demo_shop()
    shop.control("clock", ahead=ahead)
    assert is_now(lambda: date_of(ask(shop)) - ahead)
    answer = ask(shop)
    assert 55 <= limits(answer)["reset"] - date_of(answer) <= 62
    assert is_now(lambda: (ask(shop), shop.log_lines()[-1]["time"])[1])
    assert 55 <= shop.control("state")["keys"][0]["minute"]["ends"] - time.time() <= 61
    shop.control("exhaust")
    assert 55 <= int(ask(shop).headers["retry-after"]) <= 60
    shop.control("clock")
    assert is_now(lambda: date_of(ask(shop)))


@pytest.mark.parametrize(
    ("say", "told"),
    [
        ("nothing", {}),
        ("minute", {"limit": 60, "remaining": 59}),
        ("day", {"limit": 1000, "remaining": 999}),
        ("both", {"limit-minute": 60, "remaining-minute": 59, "limit-day": 1000, "remaining-day": 999}),
    ],
)
def test_the_headers_speak_of_the_windows_they_are_told_to(
    demo_shop: ShopFactory, say: str, told: dict[str, int]
) -> None:
    shop = demo_shop()
    shop.control("limit-headers", say=say)
    found = limits(ask(shop))
    ends = {name: value - time.time() for name, value in found.items() if name.startswith("reset")}
    assert {name: value for name, value in found.items() if name not in ends} == told
    for name, end in ends.items():
        length = 86_400 if "day" in (say, name.removeprefix("reset-")) else 60
        assert length - 5 <= end <= length + 1
    assert shop.log_lines()[-1]["remaining"] == 59
    shop.control("limit-headers")
    assert limits(ask(shop)).keys() == {"limit", "remaining", "reset"}


def test_a_retry_after_comes_in_the_form_that_was_asked_for(demo_shop: ShopFactory) -> None:
    shop = demo_shop(ban_at=100)
    shop.control("exhaust")
    shop.control("clock", ahead=HOURS)
    shop.control("retry-after", **{"as": "date"})
    answer = ask(shop)
    assert 59 <= date_of(answer, "retry-after") - date_of(answer) <= 62
    shop.control("retry-after", **{"as": "nothing"})
    assert "retry-after" not in ask(shop).headers
    shop.control("retry-after", **{"as": "in a while"})
    assert ask(shop).headers["retry-after"] == "in a while"
    shop.control("retry-after")
    assert int(ask(shop).headers["retry-after"]) <= 60


def test_headers_that_nobody_knows_are_refused(demo_shop: ShopFactory) -> None:
    shop = demo_shop()
    for action, body in (("limit-headers", {"say": "week"}), ("clock", {"ahead": "soon"})):
        with pytest.raises(RuntimeError):
            shop.control(action, **body)
    assert limits(ask(shop))["limit"] == 60
