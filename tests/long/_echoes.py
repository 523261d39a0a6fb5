"""A service that repeats the key in each place of its answers and in each form finds it kept, told or sent nowhere:
with keys of each kind, made anew for each run.

With the look for keys taken away it must be found out, or nothing was judged.
"""

from __future__ import annotations

import base64
import random
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

from petstore_desktop import log
from tests.long._running import Run, say
from tests.support.echo_service import Came, Echoing, forms_of, run_against
from tests.support.echoes import ECHOES, NO_JSON

FORMS = [name for name in ECHOES if name not in NO_JSON]
KINDS: Mapping[str, Callable[[random.Random], str]] = {
    "base64": lambda chance: base64.b64encode(chance.randbytes(20)).decode(),
    "hex": lambda chance: chance.randbytes(16).hex(),
    "UUID": lambda chance: str(uuid.UUID(bytes=chance.randbytes(16))),
    "with signs": lambda chance: "".join(chance.choices("ABCxyz0189/+=.~!$^*()[]{}?|", k=24)),
    "user and password": lambda chance: f"anna:{base64.urlsafe_b64encode(chance.randbytes(15)).decode()}",
    "long": lambda chance: base64.urlsafe_b64encode(chance.randbytes(300)).decode(),
}


def echoes(run: Run, ends: float) -> list[str]:
    """What was wrong: one session for each kind of key, at least one; and one in which nobody looks for keys."""
    chance, found, done = random.Random(run.seed), list[str](), 0
    for name in chance.sample([*KINDS], len(KINDS)):
        if done and not run.full and time.monotonic() > ends:
            break
        key = KINDS[name](chance)
        found += [f"a key of the kind {name!r} ({key}): {wrong}" for wrong in _wrong(_come(key), len(FORMS))]
        done += 1
    look = log.holds_secret, log.repeats_secret
    log.holds_secret = log.repeats_secret = lambda _: False
    try:
        missed = not _come(KINDS["base64"](chance)).kept_in
    finally:
        log.holds_secret, log.repeats_secret = look
    say(f"echoes: {done} of {len(KINDS)} kinds of key in {len(FORMS)} forms each, {len(found)} wrong")
    return [*found, "a key that nobody looked for was not found"] if missed else found


def _come(key: str) -> Came:
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        return run_against(Echoing(key, forms_of(key, FORMS)), Path(name))


def _wrong(came: Came, forms: int) -> list[str]:
    wrong = [f"{place} has it as {', '.join(sorted(names))}" for place, names in came.kept_in.items()]
    if len(came.pets) != forms + 1:
        wrong.append(f"{len(came.pets)} pets are shown, not {forms + 1}")
    if any("***" in body for body in came.sent):
        wrong.append("a mask was sent as data")
    return wrong
