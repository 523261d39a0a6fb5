"""A session with the log on and everything that can go wrong going wrong. Not a test. With `-X dev` asyncio writes down
every callback, with its arguments: else it would only do so where the machine is slow.

python -m tests.support.crashing_child DATA URL    (the key is the first line of stdin)
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from petstore_desktop import credentials, log
from petstore_desktop.clock import SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import Apply, UseKey
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import ChangesMoved, KeyWanted, LoadEnded, Trouble
from tests.support.session import NAME


class Careless:
    """A finaliser that fails, the key in its message."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __del__(self) -> None:
        raise RuntimeError(f"finaliser with {self._key}")


class Failing(tuple[NewChange, ...]):
    """A batch that fails in the sync thread, the key in its message."""

    def __new__(cls, key: str) -> Failing:
        made = super().__new__(cls)
        made.key = key
        return made

    def __iter__(self) -> Iterator[NewChange]:
        raise RuntimeError(f"sync thread with {self.key}")


def fail(key: str) -> None:
    raise RuntimeError(f"thread with {key}", {"Authorization": f"Bearer {key}"})


def until(session: Session, *kinds: type[object]) -> None:
    """Wait for one of these events; the parent has the deadline."""
    while session.events.wait(30.0):
        for event in session.events.drain(1.0):
            refused = isinstance(event, ChangesMoved) and event.changes[0].state is ChangeState.REFUSED
            if isinstance(event, kinds) or (refused and ChangesMoved in kinds):
                return
    raise AssertionError(f"{kinds} did not come")


def main() -> None:
    data, url = Path(sys.argv[1]), sys.argv[2]
    key = sys.stdin.readline().strip()
    places = Places(data)
    log.start(places.log.parent)
    taken: list[BaseException] = []
    log.catch_everything(taken.append)
    credentials.ALLOWED = frozenset()  # the keyring of whoever runs the tests is not ours to write to
    session = Session(places, ShopConnection("Shop", NAME, url), SystemClock(), lambda: (url, f"wrong-{key}"))
    asyncio.BaseEventLoop.slow_callback_duration = property(lambda _: 0.0, lambda *_: None)  # a loop sets its own
    session.start()
    until(session, KeyWanted)
    for name in ("", "httpx", "httpcore", "keyring", "asyncio"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    entered = UseKey(key)
    logging.getLogger("petstore_desktop").warning("at once %s %r", key, entered)
    session.submit(entered)
    until(session, LoadEnded)
    session.submit(Apply("b", (NewChange(Ref(Resource.INVENTORY, 1001), AddStock(1)),)))
    until(session, ChangesMoved)
    session.submit(Apply("c", Failing(key)))
    until(session, Trouble)
    logging.getLogger("petstore_desktop").warning("headers %r", [(b"Authorization", f"Bearer {key}".encode())])
    thread = threading.Thread(target=fail, args=(key,), name="careless")
    thread.start()
    thread.join()
    Careless(key)
    assert session.close()
    sys.stdout.write(f"{len(taken)} taken\n")
    sys.stdout.write(log.describe(RuntimeError(f"shown with {key}")))
    raise RuntimeError(f"main thread with {key}")


if __name__ == "__main__":
    main()
