"""A large batch on a bad day ends with each row done once, or listed with its reason.
`packaging/dev.py long batch` has batches of 500."""

from __future__ import annotations

from pathlib import Path

from tests.support.hard_batch import GONE, TOO_LONG, hard_batch


def test_each_row_is_done_once_or_listed_with_its_reason(tmp_path: Path) -> None:
    found = hard_batch(tmp_path, seed=1, rows=90)
    assert found["refused"] >= GONE + TOO_LONG
    assert min(found["429"], found["500"], found["503"], found["no answer"]) >= 1
