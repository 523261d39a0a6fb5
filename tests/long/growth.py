"""A busy window over the demo shop does not grow: bookings by key, one after the other, and a line through its memory.

Where it does, it says where what is kept was made.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.long._running import NOT_RUN, Run, run_from, say
from tests.program.running import Running, command
from tests.support.shop import Shop
from tests.support.slope import Slope, slope

FULL_LOOKS, LEAST_LOOKS = 40, 12
EACH_LOOK, AT_ONCE = 100, 5
"""Bookings between two looks, and how many are typed at a time."""
TRACED = 200
MOST_EACH_KIB = 8.0
"""What a booking may keep: lists that are bounded fill up for some thousand bookings."""


def book(program: Running, count: int) -> None:
    """So many bookings, until the service has them."""
    for _ in range(count // AT_ONCE):
        program.ask("book", ["+1"] * AT_ONCE)
    program.wait("sent_all")


def line(program: Running, run: Run) -> Slope:
    """KiB for each booking."""
    done, kib = list[int](), list[int]()
    while len(kib) < LEAST_LOOKS or (run.goes_on() and len(kib) < FULL_LOOKS):
        book(program, EACH_LOOK)
        done.append(EACH_LOOK * (len(done) + 1))
        kib.append(program.ask("memory"))
        say(f"growth: {done[-1]} bookings, {kib[-1]:,} KiB")
    return slope(done, kib)


def main(argv: list[str]) -> int:
    """Return 0 if no booking surely keeps more than it may."""
    if sys.platform != "linux":
        say("growth: only Linux tells what a process has for itself")
        return NOT_RUN
    run = run_from(argv, "growth")
    with tempfile.TemporaryDirectory(prefix="growth-") as folder, Shop(Path(folder) / "s", plan="unlimited") as shop:
        data = Path(folder) / "d"
        assert command("--data-dir", str(data), "connect", "Shop", "--url", shop.url).returncode == 0
        with Running(data, "--connection", "Shop", key=shop.key) as program:
            program.ask("press", "Alt+I")
            program.wait("rows", "inventory")
            found = line(program, run)
            say(f"growth: {found.each:.1f} KiB a booking, give or take {found.doubt:.1f}")
            grows = found.surely > MOST_EACH_KIB
            if grows:
                program.ask("kept_since")
                book(program, TRACED)
                say("\n\n".join(program.ask("kept_since")))
    return int(grows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
