"""Two desks create, delete and undo while a colleague edits: nothing goes that a look could show and nobody was shown.
The long run `desks` has more of it, and takes each rule out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.comings import Found, two_desks_come_and_go
from tests.support.virtual_time import VirtualTime


@pytest.mark.parametrize("client_ids", [False, True])
def test_nothing_goes_unseen(tmp_path: Path, client_ids: bool) -> None:
    loop = VirtualTime()
    found = two_desks_come_and_go(loop, tmp_path, client_ids=client_ids, seed=1, acts=60)
    loop.close()
    assert found.wrong == []
    assert found.ended > 0
    assert found.back > 0


def test_a_run_is_repeated_by_its_seed(tmp_path: Path) -> None:
    runs: list[tuple[Found, float]] = []
    for number in range(2):
        loop = VirtualTime()
        found = two_desks_come_and_go(loop, tmp_path / str(number), client_ids=True, seed=5, acts=10)
        runs.append((found, loop.wall))
        loop.close()
    assert runs[0] == runs[1]
