"""What is kept beside the service's records, in files of the connection's folder."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.own_acts import OwnAct, OwnActs
from petstore_desktop.shop.own_files import OwnFiles


@pytest.fixture
def glue(qtbot: QtBot, tmp_path: Path) -> OwnFiles:
    folder = tmp_path / "shop"
    return OwnFiles(folder / "minimums.json", folder / "codes.json", folder / "acts.json", folder / "mirror.db")


def told(qtbot: QtBot, ask: Any, *arguments: Any) -> Any:
    """What comes back, in this thread, a moment later."""
    answers: list[Any] = []
    ask(*arguments, lambda *answer: answers.append(answer))
    assert answers == [], "nobody waits for the disk"
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0] if len(answers[0]) > 1 else answers[0][0]


def test_the_newest_of_several_minimums_is_kept(qtbot: QtBot, glue: OwnFiles, tmp_path: Path) -> None:
    failures: list[object] = []
    for least in range(20):
        glue.keep_minimums(Minimums({1: least}), failures.append)
    qtbot.waitUntil(lambda: told(qtbot, glue.read_minimums) == (Minimums({1: 19}), None))
    qtbot.waitUntil(lambda: not any(thread.name == "background" for thread in threading.enumerate()))
    (tmp_path / "shop" / "minimums.json").write_text("{")
    minimums, error = told(qtbot, glue.read_minimums)
    assert minimums == Minimums() and isinstance(error, StorageError)
    assert (error.code, Path(str(error.params["path"])).read_text()) == ("minimums-set-aside", "{")
    assert failures == []


def test_the_newest_of_several_taught_codes_is_kept(qtbot: QtBot, glue: OwnFiles, tmp_path: Path) -> None:
    failures: list[object] = []
    for pet in range(20):
        glue.keep_codes(Codes({"4006381333931": (pet,)}), failures.append)
    qtbot.waitUntil(lambda: told(qtbot, glue.read_codes) == (Codes({"4006381333931": (19,)}), None))
    qtbot.waitUntil(lambda: not any(thread.name == "background" for thread in threading.enumerate()))
    (tmp_path / "shop" / "codes.json").write_text("{")
    codes, error = told(qtbot, glue.read_codes)
    assert codes == Codes() and isinstance(error, StorageError) and error.code == "codes-set-aside"
    assert failures == []


def test_the_acts_are_kept_as_they_were_and_damaged_ones_are_set_aside(
    qtbot: QtBot, glue: OwnFiles, tmp_path: Path
) -> None:
    one = OwnAct("a", "Minimum \ud800", 1.5, "minimums", {"pets/1": None}, {"pets/1": {"minimum": 2**63 - 1}})
    acts = OwnActs((one,), ("batch", replace(one, id="b")), ("closed",))
    glue.keep_acts(acts)
    qtbot.waitUntil(lambda: told(qtbot, glue.read_acts) == (acts, None))
    for bad in ('{"done": [{}]}', '{"done": [', "[]"):
        (tmp_path / "shop" / "acts.json").write_text(bad)
        found, error = told(qtbot, glue.read_acts)
        assert found == OwnActs() and isinstance(error, StorageError)
        assert (error.code, Path(str(error.params["path"])).read_text()) == ("damaged", bad)


def test_what_cannot_be_kept_or_read_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    own = (tmp_path / "file" / name for name in ("minimums.json", "codes.json", "acts.json"))
    glue = OwnFiles(*own, tmp_path / "mirror.db")
    assert isinstance(told(qtbot, glue.keep_minimums, Minimums({1: 1})), StorageError)
    assert isinstance(told(qtbot, glue.keep_codes, Codes({"4006381333931": (1,)})), StorageError)
    assert told(qtbot, glue.changed_since, 0.0) == {}
    path = str(tmp_path / "views.json")
    assert told(qtbot, glue.write_views, path, [{"name": "A"}]) is None
    assert told(qtbot, glue.read_views, path) == ({"name": "A"},)
    assert isinstance(told(qtbot, glue.read_views, str(tmp_path / "file")), BadInput)
    assert isinstance(told(qtbot, glue.write_views, str(tmp_path / "file" / "x"), []), StorageError)
