"""Three tasks and a pause as a screen reader tells them, compared with transcripts (`heard/*.txt`): the keys, and below
each what is heard. Played with real keys, on a real screen, over the accessibility bus.

`PETSTORE_WRITE_HEARD=1` writes them anew; then read them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.screen_reader import Reader, ReaderSession, can_run
from tests.support.spoken_tasks import TASKS, Stage, stage

HEARD = Path(__file__).parent / "heard"
WRITE = bool(os.environ.get("PETSTORE_WRITE_HEARD"))
_WAITS = re.compile(r"\d+:\d\d|\d+ s\b")
"""How long a pause still lasts."""


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    if not can_run():
        pytest.skip("no Xvfb, no openbox, or no AT-SPI; python3 packaging/dev.py setup brings them")
    with (
        ReaderSession() as session,
        Reader(session) as reader,
        stage(tmp_path_factory.mktemp("heard"), session, reader.heard) as ready,
    ):
        yield ready


@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_heard_as_its_transcript_says(on: Stage, task: str) -> None:
    TASKS[task](on)
    script, file = _WAITS.sub("0:00", on.take_script()), HEARD / f"{task}.txt"
    if WRITE:
        file.write_text(script, "utf-8")
    assert script.splitlines() == file.read_text("utf-8").splitlines()
