"""How a batch stands in the list of changes, in words."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.changes.history_lines import FieldChange, PastLine
from petstore_desktop.desk.values.cells import CellFacts, Sentence
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.text.changes.history import past_sentence, source_note, what_words
from petstore_desktop.ui.text.times import moment

DONE, DISCARDED, REFUSED = (
    ChangeState.DONE,
    ChangeState.DISCARDED,
    ChangeState.REFUSED,
)


@pytest.mark.parametrize(
    ("states", "undone", "words"),
    [
        (((DONE, 53), (DISCARDED, 138)), 191, "All undone: 53 after they were sent, 138 before."),
        (((DONE, 53),), 53, "All sent, and undone since."),
        (((DISCARDED, 7),), 7, "All undone, never sent."),
        (((DONE, 53), (DISCARDED, 138)), 53, "53 sent, 138 discarded, 53 of them undone"),
        (((DONE, 2), (REFUSED, 1)), 3, "2 sent, 1 refused, 3 of them undone"),
        (((DONE, 2),), 0, "2 sent"),
    ],
)
def test_a_batch_says_what_of_it_was_sent_and_what_was_taken_back(
    states: tuple[tuple[ChangeState, int], ...], undone: int, words: str
) -> None:
    said = past_sentence(Sentence("past.many", {"states": states, "undone": undone}), 0.0, None)
    assert said == words


def test_of_a_batch_that_was_tried_nobody_says_that_it_was_never_sent() -> None:
    params = {"states": ((DISCARDED, 7),), "undone": 7, "tried": 1}
    assert past_sentence(Sentence("past.many", params), 0.0, None) == "7 discarded, 7 of them undone"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("past.discarded-undone", "Undone {time}, never sent."),
        ("past.discarded-refused-undone", "Undone {time}; the service had refused it."),
        ("past.discarded-refused", "Discarded {time}; the service had refused it."),
        ("past.discarded-tried-undone", "Undone {time}."),
        ("past.discarded-tried", "Discarded {time}."),
    ],
)
def test_what_was_taken_back_says_what_had_become_of_it(code: str, words: str) -> None:
    said = past_sentence(Sentence(code, {"at": 0.0}), 0.0, None)
    assert said == words.format(time=moment(0.0, 0.0))


def test_a_single_change_says_its_delivery_and_nothing_else() -> None:
    assert source_note("receive:note: 4711") == "Received: \u2068note: 4711\u2069"
    assert source_note("receive:") == "Received"
    assert source_note("paste") == source_note("") == ""


@pytest.mark.parametrize(
    ("source", "alike", "words"),
    [
        ("import:litter.csv", False, "Import of \u2068litter.csv\u2069"),
        ("import:litter.csv", True, "Status (Import of \u2068litter.csv\u2069)"),
        ("paste", False, "Paste"),
        ("receive:4711", False, "Received: \u20684711\u2069"),
        ("count:Category \u2068Fish\u2069", False, "Stocktake: \u2068Category Fish\u2069"),
        ("receive:", False, "Received"),
        ("bulk", False, "Edit of many rows"),
        ("", False, "various"),
        ("", True, "Status"),
    ],
)
def test_a_batch_says_what_made_it(source: str, alike: bool, words: str) -> None:
    step = FieldChange("status", CellFacts(), CellFacts())
    ref = Ref(Resource.PETS, 1)
    states = ((ChangeState.DONE, 91),)
    line = PastLine(
        1, 1, "b", 0.0, ref, "Koi", "1", (step,), None, Sentence("past.many", {}), states, alike, source=source
    )
    assert what_words(line) == words
