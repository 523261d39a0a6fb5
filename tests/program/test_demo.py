"""`--demo`: what lasts from one start of the demo shop to the next."""

from __future__ import annotations

from pathlib import Path

from petstore_desktop.desk.price import usage_of
from tests.program.opened import Opened
from tests.program.running import until


def used(program: Opened) -> tuple[int, int]:
    """How many requests of the day are not left, and how many this computer used of it, once all is counted."""
    shop = program.program.shown
    assert shop is not None
    desk = shop.desk

    def counts() -> tuple[int, int] | None:
        day, ours = desk.quota.day, usage_of(desk, desk.now()).ours
        gone = None if day.limit is None or day.remaining is None else day.limit - day.remaining
        return None if gone is None or gone > ours or not program.ask("whole", "orders") else (gone, ours)

    return until(counts, "all is counted")


def test_what_is_left_of_the_day_and_what_was_used_of_it_agree_at_the_next_start_too(tmp_path: Path) -> None:
    """The second start had a key of its own, and so "992 of 1,000 left" beside 16 that were used today."""
    with Opened(tmp_path, "--demo", "--pets", "30") as program:
        first = used(program)
        assert program.quit() == 0
    with Opened(tmp_path, "--demo") as program:
        second = used(program)
    assert first[0] == first[1] < second[0] == second[1]
