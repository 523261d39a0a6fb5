"""What a bundle does first: nothing of its own environment reaches a child, and its archive stays the one it began
with; and what it loads in idle time."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from petstore_desktop.ui.base.first_paint import rest_of_bundle
from tests.house.trees import ROOT, python

HOOK = ROOT / "packaging" / "bundle" / "process_hook.py"
RUN = """
import os, runpy, sys, types
from pathlib import Path
archive = types.SimpleNamespace(_filename=sys.argv[2])
sys.modules["pyimod02_importers"] = types.SimpleNamespace(pyz_archive=archive)
runpy.run_path(sys.argv[1])
new = Path(sys.argv[2] + ".new")
new.write_text("new")
new.replace(sys.argv[2])
print(os.environ.get("LD_LIBRARY_PATH"), os.environ.get("LD_LIBRARY_PATH_ORIG"), Path(archive._filename).read_text())
"""
pytestmark = pytest.mark.linux("it is about Linux's loader")


@pytest.mark.parametrize(
    ("given", "left"),
    [({"LD_LIBRARY_PATH_ORIG": "mine"}, "mine None"), ({}, "None None")],
)
def test_children_get_the_persons_own_library_path_and_modules_come_from_the_archive_of_the_start(
    given: dict[str, str], left: str, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    archive.write_text("old")
    done = python(tmp_path, "-c", RUN, str(HOOK), str(archive), LD_LIBRARY_PATH="the bundle's", **given)
    assert done.stdout == f"{left} old\n", done.stderr


def test_the_rest_of_a_bundle_is_what_is_ours_not_loaded_and_no_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert list(rest_of_bundle()) == []
    ours = ("ui.late", "ui.base.first_paint", "desk.late", "demo.server", "commands.sync", "tour", "tour.script")
    names = [*(f"petstore_desktop.{name}" for name in ours), "openpyxl", "petstore_desktop"]
    archive = types.SimpleNamespace(toc=dict.fromkeys(names))
    monkeypatch.setitem(sys.modules, "pyimod02_importers", types.SimpleNamespace(pyz_archive=archive))
    assert list(rest_of_bundle()) == ["petstore_desktop.desk.late", "petstore_desktop.ui.late"]
