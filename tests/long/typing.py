"""Typing and scanning in every field, list, button and menu of every tab, desk and dialog, at 1 to 60 ms a key, each
time in another order and with other keys: what is typed arrives as it does without a scanner, each scan is told once.
Where there is an X server without a screen and a window manager, every second round presses real keys there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack

from tests.long._running import run_from, say
from tests.support import xtest

ROUNDS = 40
_ROUND_S = 600


def main(argv: list[str]) -> int:
    """Return 0 if no round found a fault."""
    run = run_from(argv, "typing")
    real = xtest.can_run() and shutil.which("openbox") is not None
    done = wrong = 0
    while done < ROUNDS and run.goes_on():
        wrong += _round(run.seed + done, on_server=real and done % 2 == 1)
        done += 1
    say(f"{done} rounds, {wrong} with faults" + ("" if real else "; no X server with a window manager"))
    return int(bool(wrong))


def _round(seed: int, *, on_server: bool) -> bool:
    command = [sys.executable, "-m", "tests.ui.window.type_each", str(seed), str(_ROUND_S)]
    with ExitStack() as stack:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        if on_server:
            server = stack.enter_context(xtest.XServer())
            environment |= {"DISPLAY": server.name, "QT_QPA_PLATFORM": "xcb"}
            manager = subprocess.Popen(["openbox", "--sm-disable"], env=environment, stderr=subprocess.DEVNULL)
            stack.callback(manager.terminate)
            time.sleep(1.0)  # a window that comes before its manager gets no keyboard
        ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    say(ended.stdout.strip())
    return ended.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
