"""A session in a process of its own, to be killed. Not a test.

    python -m tests.support.session_child DATA URL    (the key is the first line of stdin)

Each further line of stdin is a JSON list of [resource, key, intent, ...]: `["inventory", 12, "add", 5]`,
`["inventory", 12, "set", 40, 7]` (with what was seen), `["categories", "local", "create", {"name": "Koi"}]`; all of one
line are one batch. Each event of a change is printed as `<id> <state>`, the end of each list as `loaded <resource>`.
"""

from __future__ import annotations

import json
import sys
import threading
import uuid
from pathlib import Path
from typing import Any

from petstore_desktop.clock import SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetStock
from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.sync.wire.events import ChangesMoved, GateMoved, LoadEnded
from tests.support.session import ADDRESS, NAME


def new_change(said: list[Any]) -> NewChange:
    resource, key, verb, *values = said
    ref = Ref(Resource(resource), LocalId.new() if key == "local" else key)
    if verb == "add":
        return NewChange(ref, AddStock(values[0]), {})
    if verb == "set":
        return NewChange(ref, SetStock(values[0]), {"quantity": values[1]})
    return NewChange(ref, Create(values[0]))


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def listen(session: Session) -> None:
    for line in sys.stdin:
        changes = tuple(new_change(said) for said in json.loads(line))
        session.submit(Apply(uuid.uuid4().hex, changes))


def main() -> None:
    data, url = sys.argv[1:]
    key = sys.stdin.readline().strip()
    session = Session(Places(Path(data)), ShopConnection("Shop", NAME, ADDRESS), SystemClock(), lambda: (url, key))
    threading.Thread(target=listen, args=(session,), daemon=True).start()
    session.start()
    while session.events.wait(60.0):
        for event in session.events.drain(1.0):
            if isinstance(event, ChangesMoved):
                say(*(f"{change.id} {change.state}" for change in event.changes))
            elif isinstance(event, LoadEnded):
                say(f"loaded {event.resource}")
            elif isinstance(event, GateMoved):
                say(f"gate {event.gate.phase}")


if __name__ == "__main__":
    main()
