"""Names of up to ten million letters: what the window's thread does with them for sorting and searching is bounded."""

from __future__ import annotations

import math
import random
import time

import pytest
from PySide6.QtCore import QCollator, QLocale, Qt

from petstore_desktop.desk.values.collation import Collation
from petstore_desktop.desk.values.text import MOST_SEARCHED, fold, fold_all

ALPHABETS = ("abc ", "1a", "ж", "é漢", "ö\u0301", "１Ａ")
LONGEST = 10_000_000
COUNT = 40
MOST_PASSES = 10
"""What all of it costs at most, in times that all letters are made small; before there was a bound it took minutes."""


def names(seed: int) -> list[str]:
    """Sizes log-uniform to ten million; forty of a million, as they were found, with seed 0."""
    chance = random.Random(seed)
    sizes = [1_000_000 if seed == 0 else round(math.exp(chance.uniform(0, math.log(LONGEST)))) for _ in range(COUNT)]
    return [(chance.choice(ALPHABETS) * size)[:size] + str(number) for number, size in enumerate(sizes)]


def collation(language: str) -> Collation:
    collator = QCollator(QLocale(language))
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return Collation(collator.sortKey)


@pytest.mark.parametrize(("seed", "language"), [(1, "cs"), (2, "ja")])
def test_forty_long_names_cost_little(seed: int, language: str) -> None:
    texts, order = names(seed), collation(language)
    order.key("a")
    began = time.thread_time()
    for text in texts:
        text.casefold()
    one_pass, began = time.thread_time() - began, time.thread_time()
    for text in texts:
        order.key(text)
        fold(text)
    order.keys(texts)
    fold_all(texts)
    assert time.thread_time() - began < MOST_PASSES * one_pass


def test_long_texts_that_differ_late_are_two_and_are_found_by_their_beginning() -> None:
    one, other = (f"Ärger {'x' * MOST_SEARCHED}{end}" for end in "ab")
    assert fold(one) != fold(other)
    assert fold(one) == fold(one.replace("Ä", "A"))
    assert fold_all([one, "Ä"]) == [fold(one), "a"]
    assert "arger" in fold(one)
