"""Edits typed in one go arrive, each once, through pauses that other clients of the key cause and a kill; the
shop's own log and database judge. A program of its own, which is killed.

The parameters are short ones. `PETSTORE_FULL_PAUSES=1` plays it with twenty edits, three refusals and ten requests in
ten seconds, which takes three minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.program.running import Running, connect, meanwhile, to_stock, until
from tests.support.shop import Shop

FULL = bool(os.environ.get("PETSTORE_FULL_PAUSES"))
EDITS, REFUSALS = (20, 3) if FULL else (12, 2)
RPM = 10 if FULL else 20
MINUTES_S = (10, 20, 40) if FULL else (4, 8, 16, 32)
"""How long a window of the shop lasts: the next one is tried where a restart takes longer than a pause."""
DEADLINE_S = 400.0 if FULL else 100.0
Log = list[dict[str, Any]]


class Verdict(AssertionError):
    """What the shop has against the program."""


class TooSlow(Exception):
    """The pause was over before the program stood in it, or had started again: nothing was proved."""


class Banned(Exception):
    """The shop has banned the key: nothing more can arrive."""


def stock(shop: Shop) -> dict[int, int]:
    """What the shop's database says is in stock, by pet."""
    return dict(shop.rows("SELECT pet_id, quantity FROM inventory"))


class SecondClient:
    """Uses up the key's quota as soon as the program was answered in a new window, until it was refused often
    enough."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._seen = 0

    def look(self) -> None:
        """Look at the log once."""
        log = self._shop.log_lines()
        answered = any(line["status"] == 200 for line in log[self._seen :])
        self._seen = len(log)
        if answered and sum(line["status"] == 429 for line in log) < REFUSALS:
            self._shop.control("exhaust")


def unless_banned(shop: Shop, look: Callable[[], Any]) -> Callable[[], Any]:
    """`look`, as long as the key is not banned. Raises Banned."""

    def looked() -> Any:
        if shop.control("state")["keys"][0]["banned_until"] is not None:
            raise Banned
        return look()

    return looked


def pause_left(shop: Shop) -> float:
    """Seconds for which the shop wants to hear nothing."""
    state = shop.control("state")
    return max(0.0, (state["keys"][0]["paused_until"] or 0.0) - state["now"])


@dataclass(frozen=True)
class Played:
    """What the shop's log and database say after the scenario, and what was typed."""

    log: Log
    before: dict[int, int]
    after: dict[int, int]
    booked: dict[int, int]


def judge(seen: Played) -> None:
    """Raise a Verdict unless each booking came once and the program kept every pause."""
    log, before, after, booked = seen.log, seen.before, seen.after, seen.booked
    early = [line for line in log if line["inside_pause"]]
    if early:
        raise Verdict(f"{len(early)} requests inside a pause, the first one {early[0]}")
    if any(line["status"] == 403 for line in log):
        raise Verdict("the key was banned")
    refused = sum(line["status"] == 429 for line in log)
    if refused < REFUSALS:
        raise Verdict(f"only {refused} requests were refused for the limit: nothing was proved")
    wrong = {pet: (before[pet], after[pet]) for pet in before if after[pet] != before[pet] + booked.get(pet, 0)}
    if wrong or len(booked) != EDITS:
        raise Verdict(f"of {len(booked)} bookings these are not as typed (before, after): {wrong}")
    writes = [line["path"] for line in log if line["method"] not in ("GET", "HEAD") and line["status"] == 200]
    if sorted(writes) != sorted(f"/v1/inventory/{pet}" for pet in booked):
        raise Verdict(f"not exactly one write for each booking: {sorted(writes)}")


def played(folder: Path) -> Played:
    """The scenario, in windows so long that the machine can start the program anew within a pause."""
    for minute in MINUTES_S:
        place = folder / str(minute)
        with Shop(place / "shop", rpm=RPM, minute=minute, ban_at=1, pets=60) as shop:
            data = place / "data"
            connect(data, shop)
            try:
                before, booked = play(shop, data, minute)
            except TooSlow:
                continue
            return Played(shop.log_lines(), before, stock(shop), booked)
    raise AssertionError("this machine cannot start the program within the longest pause")


def play(shop: Shop, data: Path, minute: float) -> tuple[dict[int, int], dict[int, int]]:
    """Once; returns the quantities before it and what was booked. Ends early when the key is banned. Raises TooSlow."""
    start = ("--connection", "Shop")
    with Running(data, *start, key=shop.key) as program:
        to_stock(program)
        before = stock(shop)
        shop.control("exhaust")
        typed = program.ask("book", [f"+{number}" for number in range(1, EDITS + 1)])
        booked = {int(pet): int(amount) for pet, amount in typed}
        with meanwhile(SecondClient(shop).look, 0.02):
            try:
                second_pause(shop, program, minute)
                program.kill()
                finish(shop, data, start)
            except Banned:
                pass
    return before, booked


def second_pause(shop: Shop, program: Running, minute: float) -> None:
    """Wait until the program stands in its second pause, with time enough for a restart, and knows it."""

    def there() -> bool:
        refused = sum(line["status"] == 429 for line in shop.log_lines())
        in_time = pause_left(shop) > minute / 2
        if refused >= REFUSALS and not in_time:
            raise TooSlow
        return refused > 1 and in_time and program.ask("paused")

    until(unless_banned(shop, there), "a second pause", DEADLINE_S)


def finish(shop: Shop, data: Path, start: tuple[str, ...]) -> None:
    """Start again inside the pause, and stay until nothing waits."""
    with Running(data, *start, key=shop.key) as program:
        until(lambda: program.ask("widget", "outboxBadge") or not pause_left(shop), "what is unsent")
        if not pause_left(shop):
            raise TooSlow
        until(unless_banned(shop, lambda: not program.ask("widget", "outboxBadge")), "the end", DEADLINE_S, 0.2)
        assert program.quit() == 0


@pytest.mark.timeout(2 * len(MINUTES_S) * DEADLINE_S)
def test_edits_arrive_once_each_through_refusals_and_a_kill_inside_a_pause(tmp_path: Path) -> None:
    judge(played(tmp_path))


def test_the_judge_condemns_who_does_not_wait() -> None:
    """That the shop says so in its log: tests/demo/test_limits.py."""
    line = {"inside_pause": False, "status": 200}
    for log, match in (
        ([{**line, "inside_pause": True}], "inside a pause"),
        ([line, {**line, "status": 403}], "banned"),
    ):
        with pytest.raises(Verdict, match=match):
            judge(Played(log, {}, {}, {}))
