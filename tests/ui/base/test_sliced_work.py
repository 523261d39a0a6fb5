"""Work in short turns ends with its owner, and ends what it works on first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from petstore_desktop.ui.base.sliced_work import SlicedWork


@pytest.mark.parametrize("how", ["stopped", "replaced", "owner deleted", "finished"])
def test_what_is_begun_comes_to_its_end(qtbot: QtBot, how: str) -> None:
    owner, told, ended = QObject(), list[int](), list[int]()

    def work(last: int) -> Iterator[int]:
        try:
            yield from range(last)
        finally:
            ended.append(last)

    sliced = SlicedWork[int](owner, 0, told.append)
    sliced.begin(work(3 if how == "finished" else 10**9))
    qtbot.waitUntil(lambda: len(told) >= 3)
    assert ended == [] or how == "finished"
    if how == "stopped":
        sliced.stop()
    elif how == "replaced":
        sliced.begin(iter(()))
    elif how == "owner deleted":
        delete(owner)
    else:
        qtbot.waitUntil(lambda: bool(ended))
    assert len(ended) == 1, "at once, not when somebody collects it"
