"""What the rest of a walk costs, by what came so far."""

from __future__ import annotations

import pytest

from petstore_desktop.sync.send.walk_pass import Pass


def walked(requests: int, rows: int, total: int | None, usual: int | None = None) -> Pass:
    one = Pass(1, "a", usual=usual, total=total)
    one.requests, one.done = requests, rows
    return one


@pytest.mark.parametrize(
    ("requests", "rows", "total", "usual", "left"),
    [
        (1, 100, 100_000, None, 999),
        (12, 1_200, 100_000, None, 988),
        (3, 250, 1_000, None, 9),
        (10, 1_000, 1_000, None, 0),
        (2, 1_200, 1_000, None, 0),
        (1, 0, 1_000, 7, 6),
        (1, 100, None, 40, 39),
        (50, 100, None, 40, 0),
        (0, 100, 1_000, None, None),
        (1, 100, None, None, None),
    ],
)
def test_the_rest_is_reckoned_by_the_rows_of_each_answer_or_by_the_last_walk(
    requests: int, rows: int, total: int | None, usual: int | None, left: int | None
) -> None:
    assert walked(requests, rows, total, usual).left() == left


def test_a_request_takes_as_long_as_those_before_it_on_the_mean() -> None:
    one = Pass(1, None)
    assert one.each_s == 0.0
    for left, came in ((10.0, 10.5), (40.0, 41.5)):
        one.leaves(left)
        one.answered(came)
    assert (one.each_s, one.requests, one.answers) == (1.0, 2, 2)
