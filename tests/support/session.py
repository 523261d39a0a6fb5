"""A Session at work against a real shop, watched as the window would watch it.

    with Watched(tmp_path, shop) as shop_session:
        shop_session.wait_loaded()
        ids = shop_session.apply(NewChange(ref, AddStock(12), {"quantity": 3}))
        shop_session.wait_for(ids, ChangeState.DONE)

Nothing here sleeps: every wait is for an event, with a deadline.
"""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from petstore_desktop.clock import Clock, SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import ChangeState, NewChange
from petstore_desktop.domain.commands import Apply, Command
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import NotSaved
from tests.support.kill_hard import kill_hard
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT, Shop
from tests.support.told import Told

T = TypeVar("T")
NAME = "shop"
ADDRESS = "http://127.0.0.1:9/v1"
"""The connection's, at whatever port the shop of a test listens."""


class Watched(Told):
    """A started session.

    `key` stands in for the keyring's; None: there is none. `url` stands in for the shop's.
    """

    def __init__(
        self,
        data: Path,
        shop: Shop | None = None,
        *,
        key: str | None = "",
        url: str = "",
        clock: Clock | None = None,
        start: bool = True,
        **connection: object,
    ) -> None:
        super().__init__()
        self.url = url or (shop.url if shop is not None else ADDRESS)
        self._key = shop.key if key == "" and shop is not None else key
        self.places = Places(data)
        connection = ShopConnection("Shop", NAME, ADDRESS, **connection)
        self.session = Session(self.places, connection, clock or SystemClock(), self._service)
        if start:
            self.session.start()

    def _service(self) -> tuple[str, str]:
        return self.url, self._key or ""

    # -- what a person does

    def submit(self, command: Command) -> None:
        self.session.submit(command)

    def apply(self, *changes: NewChange) -> tuple[int, ...]:
        """Submit a batch, and return the ids of its changes once they are saved."""
        batch = uuid.uuid4().hex
        self.submit(Apply(batch, changes))
        self.wait(lambda: len(self.batches.get(batch, ())) == len(changes) or self.of(NotSaved), "a batch is saved")
        assert batch in self.batches, self.of(NotSaved)
        return tuple(self.batches[batch])

    # -- what is told

    def wait(self, condition: Callable[[], T], what: str, seconds: float = PATIENCE_S) -> T:
        """Take events until the condition holds; given up once nothing was told for so many seconds."""
        while not (held := condition()):
            if not self.listen(seconds):
                raise AssertionError(f"nothing was told in {seconds} s, until {what}; told: {self.events[-12:]}")
        return held

    def listen(self, seconds: float) -> bool:
        """Take over what is told, waiting at most so long for it; whether anything was."""
        if not self.session.events.wait(seconds):
            return False
        for event in self.session.events.drain(1.0):
            self.note(event)
        return True

    def wait_loaded(self, *resources: Resource) -> None:
        """Wait until these lists (all of them) have been read to their end."""
        for resource in resources or tuple(Resource):
            self.wait(lambda resource=resource: self.ended(resource), f"{resource} are loaded")

    def wait_for(self, ids: tuple[int, ...], state: ChangeState, seconds: float = PATIENCE_S) -> None:
        """Wait until all these changes are in this state."""
        self.wait(lambda: self.are(ids, state), f"{ids} are {state}", seconds)

    # -- the end

    def close(self) -> bool:
        return self.session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        ended = self.close()
        assert ended, "the sync thread did not end in time"


class Child:
    """A session in a process of its own, to be killed; see session_child.py."""

    def __init__(self, data: Path, shop: Shop) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.session_child", str(data), shop.url],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._say(shop.key)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def apply(self, *changes: list[Any]) -> None:
        self._say(json.dumps(changes))

    def wait_until(self, said: str) -> None:
        """Read what it prints until it says this; the test's own timeout is the deadline."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() == said:
                return
        raise AssertionError(f"it ended without saying {said!r}")

    def kill(self) -> None:
        kill_hard(self._process)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()


def stock(pet_id: int) -> Ref:
    """The stock entry of a pet."""
    return Ref(Resource.INVENTORY, pet_id)


def quantity(shop: Shop, pet_id: int) -> int:
    """What the shop's own database says."""
    return shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet_id)[0][0]


def writes(shop: Shop, path: str = "") -> list[dict[str, object]]:
    """The writes that reached the shop and were done there, oldest first."""
    return [
        line
        for line in shop.log_lines()
        if line["method"] in ("POST", "PUT", "PATCH", "DELETE")
        and path in line["path"]
        and (line.get("lost") or (line["status"] is not None and line["status"] < 300))
    ]
