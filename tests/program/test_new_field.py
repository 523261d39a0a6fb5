"""One more column: a copy of the program learns the supplier of a pet from the few lines of supplier.patch. The copy
runs in a process of its own, since this one has the original."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.records import Pet, Resource, Row
from petstore_desktop.store.history.history import ShopHistory
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.reader import MirrorReader

ROOT = Path(__file__).resolve().parents[2]
PATCH = Path(__file__).with_name("supplier.patch")
FILES = re.findall(r"^\+\+\+ b/(\S+)", PATCH.read_text("utf-8"), re.MULTILINE)
RECORDS = "petstore_desktop/domain/records.py"
SINCE = 1_763_683_200.0
"""Fri 21 Nov 2025, 00:00 UTC."""
PETS = Resource.PETS


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program and its tests that the patch has changed."""
    root = tmp_path_factory.mktemp("copy")
    for folder in ("petstore_desktop", "tests", "resources", "packaging"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("bench", "long"))
    shutil.copy(ROOT / "pyproject.toml", root)
    told = subprocess.run(["git", "apply", str(PATCH)], check=False, cwd=root, text=True, capture_output=True)
    assert told.returncode == 0, f"supplier.patch no longer fits: {told.stderr}"
    return root


def run_tests(tree: Path, *names: str, **more: str) -> tuple[int, str]:
    """How the tests of these files end in a copy, and what they say."""
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names],
        check=False,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "PETSTORE_COPY": str(tree), **more},
        text=True,
        capture_output=True,
    )
    return told.returncode, told.stdout + told.stderr


def old_mirror(path: Path) -> dict[str, Any]:
    """A mirror of today's version, and what it holds: a supplier among the unknown fields, odd ones, a pet that was
    changed, and one that was changed and changed back."""
    mirror = Mirror(path)
    history = ShopHistory(path.with_name("history.db"), "here", lambda: SINCE)
    mirror.tell_to(history)

    def put(at: float, *pets: Pet) -> None:
        mirror.put(PETS, [Row(pet.id, pet, at) for pet in pets], mirror.begin_read())

    first = (
        Pet(1, "Koi", 1, "available", {"supplier": "Aqua é", "tag": "ü"}),
        Pet(2, "Frog", 1, "available", {"supplier": 5}),
        Pet(3, "Newt", 1, "available", {"supplier": None}),
        Pet(4, "Toad", 1, "available", {"other": {"deep": [1]}}),
        Pet(5, "Eel", 1, "available"),
    )
    walk = mirror.begin_walk(PETS)
    put(SINCE - 3600, *first)
    mirror.finish_walk(PETS, walk, SINCE - 3600)
    put(SINCE + 60, Pet(5, "Eel", 1, "sold"), Pet(1, "Carp", 1, "available", first[0].extra))
    put(SINCE + 120, first[0])
    reader = MirrorReader(path)
    held = {
        "since": SINCE,
        "changed": sorted(str(key) for key in reader.changed_since(SINCE)[PETS]),
    }
    reader.close()
    mirror.close()
    history.close()
    return held


def test_a_new_column_touches_at_most_six_files_and_goes_through_the_whole_program(
    changed: Path, tmp_path: Path
) -> None:
    assert len(set(FILES)) == len(FILES) <= 6
    held = old_mirror(tmp_path / "mirror.db")
    assert held["changed"] == ["5"]
    code, said = run_tests(
        changed,
        "tests/ui/supplier_walk.py",
        "tests/domain/test_fields.py",
        OLD_MIRROR=str(tmp_path / "mirror.db"),
        OLD_MIRROR_HELD=json.dumps(held),
    )
    assert code == 0, said


@pytest.mark.parametrize("forgotten", [name for name in FILES if name != RECORDS])
def test_what_is_forgotten_of_a_new_column_fails_a_test(changed: Path, forgotten: str) -> None:
    new = (changed / forgotten).read_text("utf-8")
    shutil.copy(ROOT / forgotten, changed / forgotten)
    code, said = run_tests(changed, "tests/domain/test_fields.py")
    (changed / forgotten).write_text(new, "utf-8")
    assert (code, "pets.supplier" in said) == (1, True), said
