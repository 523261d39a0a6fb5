"""A session that refreshes all lists again and again: `_today_child.py DATA CONNECTION RUNS URL KEY`.

Before each refresh as many stocks are moved by somebody else as on one day; every second one goes without history.
Prints one JSON line: lists of ms.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHANGES = 200
DEADLINE_S = 60.0


class Reading:
    """A session on some data, and the mirror that it writes."""

    def __init__(self, data: str, connection: str, url: str, key: str) -> None:
        from petstore_desktop.clock import SystemClock
        from petstore_desktop.data_folder import Places
        from petstore_desktop.preferences import ShopConnection
        from petstore_desktop.session.session import Session
        from petstore_desktop.store.mirror.mirror import Mirror

        self.mirrors: list[Mirror] = []
        tell_to = Mirror.tell_to

        def kept(mirror: Mirror, recorder: Any) -> None:
            tell_to(mirror, recorder)
            self.mirrors.append(mirror)

        Mirror.tell_to = kept
        connection = ShopConnection("Shop", connection, url)
        self._session = Session(Places(Path(data)), connection, SystemClock(), lambda: (url, key))
        self._session.start()

    def read(self) -> float:
        """Refresh all lists; how many ms it took."""
        from petstore_desktop.domain.commands import Refresh
        from petstore_desktop.domain.records import Resource
        from petstore_desktop.sync.wire.events import LoadEnded

        began, left = time.perf_counter(), set(Resource)
        self._session.submit(Refresh(tuple(Resource)))
        while left and time.perf_counter() - began < DEADLINE_S:
            left -= {one.resource for one in self._session.events.drain(1.0) if isinstance(one, LoadEnded)}
            time.sleep(0.001)
        if left:
            raise RuntimeError(f"not read: {left}")
        return (time.perf_counter() - began) * 1000


def main(data: str, connection: str, runs: int, url: str, key: str) -> None:
    """Refresh, print, and end."""
    import httpx

    reading = Reading(data, connection, url, key)
    reading.read()
    reading.read()
    (mirror,) = reading.mirrors
    recorder = mirror.recorder
    took: dict[str, list[float]] = {"refresh with history": [], "refresh without history": []}
    with httpx.Client(headers={"Authorization": f"Bearer {key}"}, trust_env=False) as others:
        listed = others.get(f"{url}/inventory", params={"limit": CHANGES}).json()
        for number in range(2 * runs):
            for one in listed[:CHANGES]:
                moved = others.patch(f"{url}/inventory/{one['petId']}", json={"quantity": 1_000 + number})
                moved.raise_for_status()
            kind = "with" if number % 2 == 0 else "without"
            mirror.recorder = recorder if kind == "with" else None
            took[f"refresh {kind} history"].append(reading.read())
    sys.stdout.write(json.dumps(took) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
