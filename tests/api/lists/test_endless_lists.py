"""A list that does not end is left, with words, before it fills the disk; each bound holds just past it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import httpx
import pytest

from petstore_desktop.api.lists import pages
from petstore_desktop.contract.binding.load import default
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.errors.errors import error_words
from tests.api.speaking import Service, pets, rows_of, talk, walk


def endless(each: int, last: int | None = None, **beside: object) -> Service:
    """So many new pets with each answer, and always a next one, until the last answer."""
    ids, answers = itertools.count(1), itertools.count(1)

    def answer(_: httpx.Request) -> httpx.Response:
        number = next(answers)
        more = {} if number == last else {"next": f"/v1/pets?cursor={number}"}
        return httpx.Response(200, json={"data": pets(*itertools.islice(ids, each)), **more, **beside})

    return Service(answer)


def read(service: Service) -> int:
    return len(rows_of(talk(service, lambda client: walk(client, Resource.PETS), default())))


def _rows(monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    monkeypatch.setattr(pages, "MOST_ROWS", 30)
    return endless(10, last=3), endless(10)


def _bytes(monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    size = len(endless(10)(httpx.Request("GET", "https://shop.example")).content)
    monkeypatch.setattr(pages, "MOST_BYTES", 3 * size + 20)
    return endless(10, last=3), endless(10)


def _told(monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    monkeypatch.setattr(pages, "BEYOND_TOTAL", 10)
    return endless(10, last=5, total=20), endless(10, total=20)


def _few(monkeypatch: pytest.MonkeyPatch) -> tuple[Service, Service]:
    monkeypatch.setattr(pages, "FEW_ASKED", 20)
    return endless(1, last=20), endless(1)


@pytest.mark.parametrize("bound", [_rows, _bytes, _told, _few])
def test_a_list_is_left_just_past_each_bound(
    bound: Callable[[pytest.MonkeyPatch], tuple[Service, Service]], monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = bound(monkeypatch)
    assert read(good) in (20, 30, 50)
    with pytest.raises(AnswerUnusable) as caught:
        read(bad)
    assert caught.value.code == "endless"
    assert len(bad.requests) <= len(good.requests) + 1
    words = error_words(caught.value)
    what, safe, do = words.what, words.safe, words.do
    assert "does not end" in what
    assert safe
    assert do


def test_a_total_that_grows_with_the_list_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "BEYOND_TOTAL", 10)
    assert read(endless(10, last=8, total=40)) == 80
