"""Stocktakes on the real session in virtual time, against a plain model; `dev.py long stocktake` plays more of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.stocktaking import play

MEMORY = Path("/dev/shm")


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10**6))
def test_the_shop_has_what_was_counted_and_what_was_sold_after_it(seed: int) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        seen = play(seed, 50, Path(folder))
    assert seen["scan"] + seen["number"] + seen["wait"] > 0
