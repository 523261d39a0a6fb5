"""Never lost: the power fails under a journal at work, and what it had said to be saved is there afterwards.

500 cuts, or as many as there is time for. Before them the proof itself is put to the test: a journal that does not
sync, and a disk that only pretends to, must be found out.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable

from petstore_desktop.store.journal.journal import Journal
from tests.long._running import run_from, say
from tests.store.power_cuts import Loss, Tally, run

FULL = 500
SABOTAGED = 100
"""Cuts within which a sabotage must be found out."""


def main(argv: list[str]) -> int:
    """Return 0 if nothing was lost, and each sabotage was found out."""
    chosen = run_from(argv, "powercut")
    if not (_found_out("does not sync", chosen.seed, False) and _found_out("pretends to sync", chosen.seed, True)):
        return 1
    began = time.monotonic()
    goes_on: Callable[[Tally], bool] = (
        (lambda tally: tally.cuts < FULL) if chosen.full else (lambda _: chosen.goes_on())
    )
    try:
        tally = run(chosen.seed, goes_on)
    except Loss:
        traceback.print_exc()
        say(f"repeat it with: --full --seed {chosen.seed}")
        return 1
    say(f"{tally.cuts} cuts, {tally.under_way} of them inside an act, {tally.in_part} with something not synced")
    say(f"{tally.acts} acknowledged acts looked for afterwards; {time.monotonic() - began:.0f} s, nothing lost")
    return 0


def _found_out(what: str, seed: int, deaf: bool) -> bool:
    def sync_nothing(journal: Journal) -> None:
        if not deaf:
            journal.connection.execute("PRAGMA synchronous = OFF")

    try:
        run(seed, lambda tally: tally.cuts < SABOTAGED, deaf=deaf, spoil=sync_nothing)
    except Loss as loss:
        say(f"what {what} is found out: {loss}")
        return True
    say(f"what {what} is NOT found out within {SABOTAGED} cuts, seed {seed}: this proves nothing")
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
