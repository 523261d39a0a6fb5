"""Typing and scanning in every field, list, button and menu of every tab, desk and dialog, at 1 to 60 ms a key, each
time in another order and with other keys: what is typed arrives as it does without a scanner, each scan is told once.
Where there is an X server without a screen and a window manager, every second round presses real keys there, and judges
what came as it was typed: each round says how much did not.
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
from tests.support.patience import PATIENCE_S

ROUNDS = 40
_ROUND_S = 600
_OFFSCREEN = "This plugin does not support "
"""What Qt says without a screen each time that a window is raised or sized, or a list opens."""


def main(argv: list[str]) -> int:
    """Return 0 if no round found a fault."""
    run = run_from(argv, "typing")
    real = xtest.can_run() and shutil.which("openbox") is not None
    say(
        "every second round presses real keys, and does not judge those that the X server held back or dropped"
        if real
        else "no round presses real keys: there is no X server with a window manager here"
    )
    done = wrong = 0
    while done < ROUNDS and run.goes_on():
        wrong += _round(run.seed + done, on_server=real and done % 2 == 1)
        done += 1
    say(f"{done} rounds, {done // 2 if real else 0} of them with real keys, {wrong} with faults")
    return int(bool(wrong))


def _round(seed: int, *, on_server: bool) -> bool:
    command = [sys.executable, "-m", "tests.ui.window.type_each", str(seed), str(_ROUND_S)]
    with ExitStack() as stack:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        if on_server:
            server = stack.enter_context(xtest.XServer())
            environment |= {"DISPLAY": server.name, "QT_QPA_PLATFORM": "xcb"}
            manager = subprocess.Popen(
                ["openbox", "--sm-disable"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            stack.callback(manager.terminate)
            deadline = time.monotonic() + PATIENCE_S
            while not server.is_managed():  # a window that comes before its manager gets no keyboard
                if manager.poll() is not None or time.monotonic() > deadline:
                    say("the window manager does not run")
                    return True
                time.sleep(0.05)
        ended = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    say(f"with {'real keys' if on_server else 'key events'}, ended with {ended.returncode}:")
    for line in ended.stdout.splitlines():
        if not line.startswith(_OFFSCREEN):
            say(line)
    return ended.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
