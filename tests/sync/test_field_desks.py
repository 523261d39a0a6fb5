"""Two desks edit the same records where no ETags are: what a look could see of the other's is kept, or a conflict.
Taking any one rule of that away is noticed. The long run `desks` has more of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.api import client
from petstore_desktop.domain.records import ALL_SPECS
from petstore_desktop.sync.send import next_step as engine
from petstore_desktop.sync.send.writer import Writer
from petstore_desktop.sync.shared.mirror_writer import Records
from tests.support.field_desks import Way, two_desks_edit
from tests.support.virtual_time import VirtualTime

ACTS, MOST = 25, 40


@pytest.mark.parametrize("way", [Way("PATCH"), Way("PUT"), Way("PUT", slow=True), Way(slow=True, service="default")])
def test_nothing_of_the_other_desk_is_lost_unseen(loop: VirtualTime, tmp_path: Path, way: Way) -> None:
    found = two_desks_edit(loop, tmp_path, way, seed=1, acts=ACTS)
    assert found.wrong == []
    assert found.conflicts > 0
    assert found.merged > 0 or way.service == "default"


def _from_its_end(original: Any) -> Any:
    """What is known of a record counts from the end of its answer."""

    def put(self: Records, resource: Any, rows: Any, sequence: int, *more: Any, **named: Any) -> Any:
        self._begun[sequence] = self._clock.now().steady
        return original(self, resource, rows, sequence, *more, **named)

    return put


WIRE_NAMES = {spec.name: spec.wire for specs in ALL_SPECS.values() for spec in specs}


def _in_part(_: Any) -> Any:
    """A PUT sends the changed fields alone, and what its operation needs."""

    def encode(operation: Any, fields: Any, known: Any) -> bytes:
        whole = known.whole
        needed = {"name": whole.name, "categoryId": whole.category_id} if operation.replaces else {}
        return json.dumps({**needed, **{WIRE_NAMES[name]: value for name, value in fields.items()}}).encode()

    return encode


def _always(_: Any) -> Any:
    return lambda *_: True


FIRST = (engine, "_is_fresh", _always)
LAST = (Writer, "_in_time", _always)
TAKEN = [
    ("a write looks first", (FIRST, LAST), Way("PATCH")),
    ("and so does a PUT", (FIRST, LAST), Way("PUT")),
    ("what a person saw is compared", ((engine, "moved", lambda _: lambda *_: {}),), Way("PATCH")),
    ("a look counts from its start", ((Records, "put", _from_its_end),), Way(slow=True, service="default")),
    ("it is asked again at the first byte", (LAST,), Way("PATCH", slow=True)),
    ("a PUT is whole", ((client.encoding, "encode", _in_part),), Way("PUT")),
]


@pytest.mark.parametrize(("taken", "way"), [row[1:] for row in TAKEN], ids=[row[0] for row in TAKEN])
def test_without_the_rule_something_is_found(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: Any, way: Way
) -> None:
    for owner, name, change in taken:
        monkeypatch.setattr(owner, name, change(getattr(owner, name)))
    assert two_desks_edit(loop, tmp_path, way, seed=4, acts=MOST).wrong
