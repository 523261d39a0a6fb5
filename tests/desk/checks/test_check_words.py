"""What a check found, in words: the same in the window and on the command line, each cause with its own."""

from __future__ import annotations

import pytest

from petstore_desktop.commands.checks_said import English
from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.check_texts import BAD, GOOD, OPERATIONS
from petstore_desktop.desk.checks.check_words import advice, missing_words, remarks, said, summary, title
from petstore_desktop.domain.checks import About, Check, CheckReport, Sample
from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.connection.check_list import advice_words, said_words

PARAMS = {
    "url": "https://shop.example/v1",
    "given": "https://shop.example",
    "host": "shop.example",
    "message": "no <b>way</b>",
    "title": "Weather",
    "version": "2.0",
    "target": "https://new.example/",
    "header": "X-RateLimit-Limit: some",
    "path": "shop.yaml",
    "status": 500,
    "content_type": "text/plain",
    "why": "not UTF-8",
    "file": "ours.pem",
    "proxy": "http://proxy.example:3128",
    "plan": "pro",
    "limit": 60,
    "remaining": 50,
    "until": 1_763_731_320.0,
    "skew": -7_200,
}
VOICE = English()
CASES = [*((code, True) for code in GOOD), *((code, False) for code in BAD)]


@pytest.mark.parametrize(("code", "ok"), CASES)
@pytest.mark.parametrize("params", [PARAMS, {}], ids=["told", "untold"])
def test_every_text_is_whole_and_the_window_says_the_same(code: str, ok: bool, params: dict[str, object]) -> None:
    check = Check(About.KEY, ok, code, params)
    for line, window in ((said(check, VOICE), said_words(check)), (advice(check, VOICE), advice_words(check))):
        assert "{" not in line
        assert "None" not in line
        assert line == line.strip()
        assert line[-1:] in (".", "")
        bare = window.translate({0x2068: None, 0x2069: None})
        if "until" not in params:  # moments are written as the person writes them
            assert bare == line
    assert bool(advice(check, VOICE)) is (not ok and code != "stopped")


def test_of_a_key_of_stock_that_is_found_out_before_the_first_change_it_is_not_said_that_stock_is_only_read() -> None:
    """Doctor said so beside "It offers all 18 operations", and the first `stock` booked."""
    guessed = ((Resource.INVENTORY, "pet_id", "pet"), (Resource.ORDERS, "id", "number"))
    stock, order = remarks(Sample(guessed=guessed), VOICE)
    assert "(pet, or the entry’s own) is found out by reading, before the first one;" in stock
    assert order.endswith("So they are only read.")


@pytest.mark.parametrize("code", ["keyring-absent", "keyring-locked", "keyring-silent"])
def test_without_a_key_the_document_alone_was_asked_for_and_that_is_said(code: str) -> None:
    """It said "nothing was sent" above "9 requests, all of them reads"."""
    assert said(Check(About.KEY, False, code), VOICE).endswith("so there is no key; only the document was asked for.")


def test_no_two_causes_are_told_alike() -> None:
    words = [said(Check(About.KEY, False, code, PARAMS), VOICE) for code in BAD]
    assert len(set(words)) == len(BAD)


def test_what_others_wrote_is_cut_and_shown_plain() -> None:
    check = Check(About.KEY, False, "key-rejected", {"message": "x" * 9_999 + "\u202e"})
    assert len(said(check, VOICE)) < 300
    assert "\u202e" not in said(Check(About.KEY, False, "key-rejected", {"message": "a\u202eb"}), VOICE)


def test_an_error_that_has_words_of_its_own_keeps_them() -> None:
    error = Unreachable(why="tls-expired", host="shop.example")
    check = Check(About.TLS, False, "tls-expired", error.params, error)
    assert "expired" in said(check, VOICE)
    assert advice(check, VOICE)


def test_every_operation_that_is_missing_is_named() -> None:
    assert missing_words([Op.PET_READ.value, Op.PET_CHANGE.value], VOICE) == ["look up a pet", "change pets"]
    assert missing_words([Op.PETS_LIST.value, Op.PET_READ.value], VOICE) == ["see all pets", "look up a pet"]
    assert missing_words([op.value for op in Op if op is not Op.ORDERS_LIST], VOICE) == [
        *(
            "anything about pets",
            "anything about categories",
            "look up an order",
            "new orders",
            "change orders",
            "cancel orders",
        ),
        "anything about the stock",
    ]
    assert set(OPERATIONS) == set(Op)


def test_every_check_has_a_name() -> None:
    assert len({title(about, VOICE) for about in About}) == len(About)


def test_a_summary_is_given_only_where_something_was_read() -> None:
    counts = {"offered": 18, "of": 18, "missing": ()}
    good = CheckReport((Check(About.OPERATIONS, True, "operations", counts),))
    assert summary(good, VOICE) == "It offers all 18 operations."
    assert summary(CheckReport((Check(About.OPERATIONS, None, "not-reached"),)), VOICE) == ""


def test_of_several_things_that_are_wrong_the_one_in_the_way_is_the_cause() -> None:
    clock = Check(About.CLOCK, False, "clock-off", {"skew": 9_999})
    key = Check(About.KEY, False, "key-rejected")
    assert CheckReport((clock, key)).cause is key
    assert CheckReport((clock,)).cause is clock
    assert CheckReport((clock,)).usable
    assert not CheckReport((clock, key)).usable
    assert CheckReport(()).ok
