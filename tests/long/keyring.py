"""The keyring as it pleases, beside a real window: in four states, killed in the middle of keeping a key, unlocked
while the window waits, its question for a password dismissed, and another program at it at the same time.

Each time: the window never stands still for a fifth of a second, it names the true cause, it never leaves the person to
believe that a key is kept which is not, and no key is anywhere on the disk.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.long._running import Run, run_from, say
from tests.program.running import until
from tests.support.keyring_days import KeyringDay, live_through, some_key
from tests.support.shop import ROOT, Shop

BOUND_S = 5.0
"""What the program itself waits for a keyring."""
ROUNDS = 25
"""So often everything, for the whole count."""
LATEST_KILL_S = 0.6
"""A key is kept within about half a second; most of that is the start of the process that asks."""
PROMPT_S = 1.5
"""Within about half a second the keyring that was started anew is asked, asks for its password, and finds nobody."""


def killed_while_keeping(day: KeyringDay, chance: random.Random) -> str:
    """The daemon crashes somewhere between the press of Enter and the end, and is started anew, locked."""
    day.open().wait("rows", "pets")
    day.readable = False
    crash = threading.Timer(chance.uniform(0, LATEST_KILL_S), day.session.kill_keyring)
    key = day.change_key(at_enter=crash.start)
    crash.join()
    end = time.monotonic() + PROMPT_S
    until(lambda: day.window.ask("dialogs") or time.monotonic() > end, "what went wrong, if anything")
    day.session.unlock()
    day.readable = True
    return day.ended(key) or "kept"


def unlocked_while_waiting(day: KeyringDay, chance: random.Random) -> str:
    """The window waits for its key, and the person types the password into the keyring's own question."""
    day.session.hold_prompts()
    day.open()
    day.session.wait_for_prompt()
    time.sleep(chance.uniform(0, 1))
    day.session.unlock()
    day.session.dismiss_prompts()
    day.window.wait("rows", "pets")
    assert day.window.ask("dialogs") == []
    day.readable = True
    return day.ended(day.change_key()) or "kept"


def dismissed(day: KeyringDay, chance: random.Random) -> str:
    """The person closes the keyring's question, at once or after a while, instead of typing the password."""
    day.session.hold_prompts()
    day.open()
    day.session.wait_for_prompt()
    time.sleep(chance.uniform(0, 2))
    day.session.dismiss_prompts()
    day.told("keyring-locked", "keyDialog")
    assert day.ended(day.type_key()) == "keyring-locked"
    day.let_error_go()
    day.window.wait("rows", "pets")
    return "keyring-locked"


def two_at_once(day: KeyringDay, chance: random.Random) -> str:
    """Another program keeps its keys while the window keeps its own: under other names, and under the same."""
    day.open().wait("rows", "pets")
    others = [(f"another {number}", some_key()) for number in range(2)]
    same = chance.random() < 0.5
    if same:
        others.append((day.identity, some_key()))
    day.used += [key for _, key in others]
    at_work = [_keeping(day, name, key) for name, key in others]
    key = day.change_key()
    for process in at_work:
        assert process.wait(30) == 0
    for name, other in others:
        assert name == day.identity or day.kept(name) == other
    if not same:
        return day.ended(key) or "kept"
    # Who comes last under one name wins; the window may find the other's key, and then says that its own is lost.
    said = until(lambda: day.window.ask("dialogs") or day.kept() in (key, others[-1][1]), "one of the two keys")
    return "one of two" if said is True else day.error_said()


def _keeping(day: KeyringDay, name: str, key: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.support.credentials_child", "keep", name, "10"]
    env = dict(day.session.environment)
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stdin is not None
    process.stdin.write(key)
    process.stdin.close()
    return process


def _lived(day: KeyringDay, _: random.Random) -> str:
    live_through(day)
    return "as expected"


Trial = Callable[[KeyringDay, random.Random], str]
TRIALS: Mapping[str, tuple[str, Trial]] = {
    **{state: (state, _lived) for state in ("unlocked", "locked", "absent", "silent")},
    "killed while keeping": ("unlocked", killed_while_keeping),
    "unlocked while waiting": ("locked", unlocked_while_waiting),
    "question dismissed": ("locked", dismissed),
    "two programs at once": ("unlocked", two_at_once),
}
"""Each with the state in which its day begins."""


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found."""
    run = run_from(argv, "keyring")
    chance = random.Random(run.seed)
    came: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="keyring-long-") as folder, Shop(Path(folder) / "shop", pets=20,
                                                                             plan="unlimited") as shop:  # fmt: skip
        for number in range(ROUNDS if run.full else 10**9):
            if not _round(run, shop, Path(folder) / str(number), chance, came):
                return 1
            if not run.goes_on():
                break
    for what, count in sorted(came.items()):
        say(f"keyring: {count} x {what}")
    untried = [name for name in TRIALS if not any(what.startswith(f"{name}: ") for what in came)]
    say(f"keyring: {sum(came.values())} days with a window, nothing found")
    if untried:
        say(f"keyring: not enough time for: {', '.join(untried)}")
    return 0


def _round(run: Run, shop: Shop, folder: Path, chance: random.Random, came: Counter[str]) -> bool:
    """Everything once, in some order, for as long as there is time; whether nothing was found."""
    for name in chance.sample(sorted(TRIALS), len(TRIALS)):
        if not run.goes_on():
            return True
        try:
            came[f"{name}: {_day(name, shop, folder / name.replace(' ', '-'), chance)}"] += 1
        except Exception:  # noqa: BLE001 -- whatever it is, it is what was looked for
            traceback.print_exc()
            say(f"keyring: {name}: repeat it with: --seed {run.seed}")
            return False
    return True


def _day(name: str, shop: Shop, folder: Path, chance: random.Random) -> str:
    state, trial = TRIALS[name]
    day = KeyringDay(folder, shop, state, hurry=BOUND_S)
    try:
        came = trial(day, chance)
        if day.program is not None:
            assert day.waits() == []
            said = day.window.ask("everything")
            if "errorDialog" in day.window.ask("dialogs"):
                day.let_error_go()
            assert day.traces([*said, day.close_window()]) == []
        return came
    finally:
        day.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
