"""Whatever is wrong with an answer has words of its own: what happened, what is safe, what to do."""

from __future__ import annotations

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.check_texts import OPERATIONS
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted, ShopError
from petstore_desktop.ui.text.errors.errors import error_words

UNUSABLE = (
    "empty", "not-json", "bad-text", "cut-short", "too-deep", "too-large", "bad-encoding",
    "not-a-list", "two-lists", "bad-record", "another-record",
)  # fmt: skip
BROKEN = ("deadline", "timeout", "protocol", "cancelled", "broken")
LIST, WRITE = "pets.list", "pets.create"
SPOOF = "\u202etxt.exe<b>"


def unusable(code: str, **params: object) -> AnswerUnusable:
    known = {
        "cap": 8 * 2**20,
        "most": 9,
        "encoding": "br",
        "why": "id is missing",
        "asked": 1,
        "got": 2,
        "id": 7,
        "values": "status: free → sold",
    }
    return AnswerUnusable(code, **{**known, "content_type": "text/plain", "operation": LIST, **params})


def errors(operation: str) -> list[ShopError]:
    broken = [Interrupted(why=why, operation=operation) for why in BROKEN]
    page = unusable("not-json", content_type="text/html; charset=utf-8", operation=operation)
    return [*(unusable(code, operation=operation) for code in UNUSABLE), page, *broken]


@pytest.mark.parametrize("operation", [LIST, WRITE])
def test_every_cause_has_a_text_of_its_own_that_names_the_operation(operation: str) -> None:
    said = [error_words(error) for error in errors(operation)]
    assert len({words.what for words in said}) == len(said)
    title = {LIST: "List pets", WRITE: "Add a pet"}[operation]
    assert all(title in words.what and words.safe and words.do for words in said)
    words = OPERATIONS[Op(operation)]
    assert all(words in sentence(error) for error in errors(operation))


def test_a_read_says_that_nothing_is_lost_and_a_write_that_it_may_have_been_done() -> None:
    assert all("removed or overwritten" in error_words(error).safe for error in errors(LIST))
    assert all("may be done" in error_words(error).safe for error in errors(WRITE))


def test_on_the_command_line_each_unusable_answer_has_its_own_line_too() -> None:
    lines = {sentence(unusable(code)) for code in UNUSABLE}
    assert len(lines) == len(UNUSABLE)
    assert not any("not said" in line or "{" in line for line in lines)


def test_what_the_service_wrote_into_its_headers_is_shown_plain_and_cut() -> None:
    for code, name in (("not-json", "content_type"), ("bad-encoding", "encoding"), ("bad-record", "why")):
        what = error_words(unusable(code, **{name: SPOOF + "x" * 5_000})).what
        assert "‹202E›txt.exe<b>" in what
        assert "\u202e" not in what
        assert len(what) < 400


def test_an_error_that_says_nothing_of_itself_has_words_all_the_same() -> None:
    for error in (AnswerUnusable(), Interrupted(), AnswerUnusable("new-code", operation="new.op")):
        assert error_words(error).what.endswith(".")
        assert sentence(error)


def test_a_record_that_was_made_with_other_values_is_there_and_both_values_are_said() -> None:
    said = error_words(unusable("made-otherwise", operation=WRITE))
    assert "7" in said.what
    assert "status: free → sold" in said.what
    assert said.safe.startswith("The record is there, once.")
