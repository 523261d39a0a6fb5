"""What a service's words for the status of a pet mean."""

from __future__ import annotations

import pytest

from petstore_desktop.domain.records import own_status, status_choices, status_kind


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("available", "available"), ("IN_STOCK", "available"), ("ForSale", "available"), ("RESERVED", "pending"),
        ("on hold", "pending"), ("ADOPTED", "sold"), ("Sold", "sold"), ("quarantine", None), ("", None),
    ],
)  # fmt: skip
def test_words_are_known_by_likeness(word: str, kind: str | None) -> None:
    assert status_kind(word) == kind


def test_the_service_gets_its_own_status() -> None:
    assert own_status("sold", ("IN_STOCK", "ADOPTED")) == "ADOPTED"
    assert own_status("sold", ("ADOPTED", "sold")) == "sold"
    assert own_status("sold", ("gone", "purchased", "Sold Out")) == "Sold Out"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("sold", ("verfügbar", "reserviert", "verkauft")),
        ("sold", ("available", "unavailable")),
        ("pending", ("IN_STOCK", "ADOPTED")),
    ],
)
def test_of_words_that_do_not_surely_mean_a_status_none_is_taken(kind: str, words: tuple[str, ...]) -> None:
    assert own_status(kind, words) is None
    assert own_status("sold", ("available", "unavailable", "adopted")) == "adopted"


def test_the_words_to_choose_from_are_the_documents_else_those_in_use() -> None:
    assert status_choices(("NEW", "GONE"), frozenset({"GONE", "LOST"})) == ("NEW", "GONE", "LOST")
    assert status_choices((), frozenset({"NEW"})) == ("NEW",)
    assert status_choices((), frozenset({"sold", "lost"})) == ("available", "pending", "sold", "lost")
    assert status_choices((), frozenset()) == ("available", "pending", "sold")
