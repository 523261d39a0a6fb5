"""What a shop does beside its main work, and nobody waits for: if it fails, a person is told at once."""

from __future__ import annotations

import inspect
import random
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.sync.jobs.batch_facts import JobFacts
from petstore_desktop.sync.lists.status_counter import StatusCounter
from petstore_desktop.sync.shared.sent_report import SentReport
from petstore_desktop.sync.wire.events import Trouble
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

SIDE_TASKS = {
    "undo facts": (JobFacts, "_load"),
    "archive": (Archive, "store_away"),
    "earlier requests": (SentReport, "tell_earlier"),
    "counts": (StatusCounter, "run"),
}


def broken(*_: object) -> Any:
    raise LookupError("nobody expected this")


async def broken_later(*_: object) -> None:
    broken()


@pytest.mark.parametrize("task", SIDE_TASKS)
def test_a_side_task_that_fails_is_told(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    owner, name = SIDE_TASKS[task]
    monkeypatch.setattr(owner, name, broken_later if inspect.iscoroutinefunction(getattr(owner, name)) else broken)
    shop = VirtualShop(loop, tmp_path / "shop", rpd=100_000)
    desk = VirtualDesk(loop, shop, tmp_path / "desk", chance=random.Random(1))
    with pytest.raises(LookupError, match="nobody expected this"):
        desk.wait(lambda: desk.of(Trouble), "somebody is told", 120.0)
        loop.run_for(1.0)
    assert [str(told.error) for told in desk.of(Trouble)] == ["nobody expected this"]
    desk.kill()
    shop.close()
