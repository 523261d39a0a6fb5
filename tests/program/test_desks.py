"""Two programs at one shop: what one does is not lost to the other. Processes of their own, since they share nothing
but the service. With ETags, and in many more ways, in virtual time: tests/sync/test_desks_machine.py; the long run
`desks` has more of both."""

from __future__ import annotations

from pathlib import Path

from tests.support.desks import two_desks


def test_without_etags_whatever_a_look_could_see_is_seen_though_answers_are_lost(tmp_path: Path) -> None:
    # 5 s take 1 here: so the looks that are too old are met as well.
    found = two_desks(tmp_path, seed=2, acts=20, etags=False, faults=True, faster=5.0)
    assert found.wrong == []
    assert found.turns >= 3, "the desks did not get in each other's way"
