"""Three tasks and a pause as a screen reader tells them, on a real screen, over the accessibility bus: what is heard is
what its transcript says (`heard/*.txt`). What is heard between two keys depends on who is faster, so this wants a
computer with nothing else to do: a sample plays the first task alone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.long._running import NOT_RUN, run_from, say
from tests.support.screen_reader import can_run

TASKS = Path(__file__).with_name("_heard_tasks.py")
FIRST = "s1"


def main(argv: list[str]) -> int:
    """Return 0 if every line was heard."""
    run = run_from(argv, "reader")
    if not can_run():
        say("not run: no Xvfb, no openbox, or no AT-SPI; python3 packaging/dev.py setup brings them")
        return NOT_RUN
    chosen = [] if run.full else ["-k", FIRST]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", str(TASKS), *chosen], check=False)
    say("every line was heard" if done.returncode == 0 else "something else was heard")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
