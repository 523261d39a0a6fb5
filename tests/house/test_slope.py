"""The line that a long run fits through memory finds what grows, and nothing where memory only sways."""

from __future__ import annotations

import random

from tests.support.slope import of_each_act, slope

ACTS = [100 * look for look in range(1, 33)]


def swaying(each_kib: float, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [150_000 + each_kib * acts + chance.uniform(-400, 400) for acts in ACTS]


def test_thirty_kib_a_booking_are_found_although_a_twentieth_more_would_have_passed() -> None:
    for seed in range(20):
        assert slope(ACTS, swaying(30.0, seed)).surely > 20.0
    few = swaying(2.0, 1)
    assert few[-1] < few[15] * 1.05
    assert slope(ACTS, few).surely > 1.0


def test_what_only_sways_or_levels_is_not_said_to_grow() -> None:
    for seed in range(20):
        assert slope(ACTS, swaying(0.0, seed)).surely < 0.5
        levels = [kib + min(acts, 1_000) * 30.0 for kib, acts in zip(swaying(0.0, seed), ACTS, strict=True)]
        assert slope(ACTS, levels).surely < 0.5


def test_each_act_has_its_line() -> None:
    counts = [{"book": acts, "look": 1} for acts in ACTS]
    lines = of_each_act(counts, swaying(30.0, 1))
    assert lines["book"].surely > 20.0
    assert lines["look"].surely < 0.0
