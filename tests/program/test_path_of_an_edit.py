"""The way of a stock edit, from Enter to "sent", stays as short as it was made: counted, never timed."""

from __future__ import annotations

import pytest

from tests.bench import path

RUNS = 3
"""On a busy machine one edit's events come in more turns than the next one's: one edit within all bounds is enough."""


def test_the_way_of_an_edit_stays_within_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")  # as the bench: on a larger screen there are more rows
    met = list[dict[str, int]]()
    for _ in range(RUNS):
        counts = path.run(path.PETS, path.EDITS)
        edits = [{name: counts[name][at] for name in path.GOALS} for at in range(path.EDITS)]
        if any(all(edit[name] <= bound for name, bound in path.GOALS.items()) for edit in edits):
            return
        met += edits
    pytest.fail(f"each edit went past one of {path.GOALS}: {met}")
