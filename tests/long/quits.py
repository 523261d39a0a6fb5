"""No quit ends by a signal: the program is started, worked in, and quit, again and again, beside a busy core.

Each run quits at another moment: while lists are read, while bookings are sent, while a name is looked up, right after
the first paint, or by SIGTERM. The whole count: 300 quits.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.long._running import run_from, say
from tests.program.running import Running, command
from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop

QUITS = 300
STAYS = 1_000
"""Stands for the exit code of a life that does not end."""
WAYS = ("at once", "reading", "sending", "searching", "told by a signal")


def _burn() -> None:
    """Keep a core busy until the parent ends."""
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(200_000))


def quit_once(data: Path, key: str, way: str, chance: random.Random) -> int:
    """The exit code of one life; negative for a signal."""
    with Running(data, "--connection", "Shop", key=key) as program:
        if way == "sending":
            program.ask("press", "Alt+I")
            program.wait("rows", "inventory")
            program.ask("book", ["+1"] * 3)
        elif way == "reading":
            program.ask("press", "F5")
        elif way == "searching":
            program.ask("press", "Ctrl+K")
            program.ask("write", "koi")
            program.ask("press", "Escape")
        time.sleep(chance.uniform(0, 0.4))  # somewhere in what goes on
        if way in ("sending", "told by a signal"):  # a person is asked what shall be with unsent changes
            os.kill(program.process.pid, signal.SIGTERM)
        else:
            with suppress(AssertionError):  # it may be gone before it has answered
                program.ask("press", "Ctrl+Q")
        with suppress(AssertionError):
            if program.ask("dialogs"):  # an earlier life left something unsent: whoever shuts the computer down does so
                os.kill(program.process.pid, signal.SIGTERM)
        try:
            return program.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            say(f"quits: {way}: it does not end; {program.ask('dialogs')}, {program.said()}")
            return STAYS


def main(argv: list[str]) -> int:
    """Return 0 if every life ended with 0."""
    run = run_from(argv, "quits")
    chance, ends = random.Random(run.seed), Counter[tuple[str, int]]()
    busy = multiprocessing.get_context("spawn").Process(target=_burn, daemon=True)
    busy.start()
    with tempfile.TemporaryDirectory(prefix="quits-") as folder, Shop(Path(folder) / "s", plan="unlimited") as shop:
        data = Path(folder) / "d"
        assert command("--data-dir", str(data), "connect", "Shop", "--url", shop.url).returncode == 0
        for number in range(QUITS):
            if not run.goes_on():
                break
            way = WAYS[number % len(WAYS)]
            ends[way, quit_once(data, shop.key, way, chance)] += 1
    busy.kill()
    for (way, code), count in sorted(ends.items()):
        say(f"quits: {count:4} {way}: {code}")
    wrong = sum(count for (_, code), count in ends.items() if code != 0)
    by_signal = sum(count for (_, code), count in ends.items() if code < 0)
    say(f"quits: {ends.total()} of {QUITS}, {by_signal} by a signal, {wrong} not with 0")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
