"""The package keeps the bounds of its shape, and what is planted past one is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import house_rules
import house_shape
from tests.house.trees import ROOT, plant

NONE = house_shape.Bounds(lines=0, small_files=0, double_names=0, crowded_folders=0, riddles=0)
MANY = house_shape.Bounds(lines=1_000, small_files=9, double_names=9, crowded_folders=9, riddles=9)
PART = "petstore_desktop/desk"
SLACK = 50


def planted(tmp_path: Path, files: dict[str, str], bounds: house_shape.Bounds) -> list[str]:
    return house_shape.findings(house_rules.package(plant(tmp_path, files)), bounds)


@pytest.mark.slow
def test_the_package_keeps_its_bounds() -> None:
    package = house_rules.package(ROOT)
    assert house_shape.findings(package) == []
    assert house_shape.BOUNDS.lines - sum(one.lines for one in package) <= SLACK, "the bound of lines falls with it"
    assert [house_shape.WINDOW in one.classes for one in package].count(True) == 1, "the class with its own bound"


def test_lines_are_counted_without_blanks_comments_and_docstrings(tmp_path: Path) -> None:
    says, name = '"""Says,\n\nand more."""\n\n# a comment\n', 'A = """one\ntwo"""\n"""What A is."""\n\n\n'
    text = f"{says}{name}def f() -> int:  # code\n    return 1\n"
    assert planted(tmp_path, {f"{PART}/a.py": text}, MANY) == []
    assert planted(tmp_path, {f"{PART}/a.py": text}, NONE) == ["4 lines of code, 0 at most"]


def test_a_small_file_with_a_single_importer_is_found_and_one_with_two_is_not(tmp_path: Path) -> None:
    files = {
        f"{PART}/small.py": "x = 1\n" * house_shape.SMALL_LINES,
        f"{PART}/one.py": "from petstore_desktop.desk.small import x\n" * 41,
    }
    (found, _) = planted(tmp_path, files, NONE)
    assert found.splitlines()[1:] == [f"  {PART}/small.py (40 lines) into {PART}/one.py"]
    files[f"{PART}/two.py"] = "def late() -> None:\n    import petstore_desktop.desk.small\n"
    assert all("small files" not in found for found in planted(tmp_path, files, NONE))


def test_a_file_just_too_long_to_be_small_stays(tmp_path: Path) -> None:
    files = {
        f"{PART}/small.py": "x = 1\n" * (house_shape.SMALL_LINES + 1),
        f"{PART}/one.py": "from petstore_desktop.desk.small import x\n" * 41,
    }
    assert planted(tmp_path, files, NONE) == ["82 lines of code, 0 at most"]


def test_a_class_name_in_two_files_is_found_and_a_private_one_is_not(tmp_path: Path) -> None:
    files = {f"{PART}/{name}.py": "class Kind: ...\nclass _Own: ...\n" for name in ("a", "b")}
    (found, _) = planted(tmp_path, files, NONE)
    assert found.splitlines()[1:] == [f"  Kind: {PART}/a.py, {PART}/b.py"]


def test_the_window_has_a_bound_of_its_own(tmp_path: Path) -> None:
    place, text = f"{PART}/any_name.py", f"class {house_shape.WINDOW}: ...\n"
    assert planted(tmp_path, {place: text + "x = 1\n" * 249}, MANY) == []
    (found,) = planted(tmp_path, {place: text + "x = 1\n" * 250}, MANY)
    assert found == f"{place}: 251 lines of code, 250 at most"


def test_a_folder_of_fourteen_files_is_crowded_and_one_of_thirteen_is_not(tmp_path: Path) -> None:
    files = {f"{PART}/a{number}.py": "x = 1\n" for number in range(13)} | {f"{PART}/__init__.py": ""}
    assert planted(tmp_path, files, NONE) == ["13 lines of code, 0 at most"]
    (found, _) = planted(tmp_path, files | {f"{PART}/b.py": ""}, NONE)
    assert found.splitlines()[1:] == [f"  {PART}: 14 files"]


def test_a_docstring_that_begins_as_a_riddle_is_found_and_one_that_says_what_it_does_is_not(tmp_path: Path) -> None:
    texts = ("Whoever asks gets it.", "So many are kept.", "What was read.", "Of which none is left.")
    files = {
        f"{PART}/a.py": "".join(f'x = {n}\n"""{text}"""\n' for n, text in enumerate(texts)),
        f"{PART}/b.py": '"""Whatever is read, sorted: what was read last comes first."""\n',
    }
    (found, _) = planted(tmp_path, files, NONE)
    assert found.splitlines()[1:] == [f"  {PART}/a.py:{line}" for line in (2, 4, 6, 8)]
