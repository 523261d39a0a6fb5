"""Lines are counted to be read, and one name is one thing; `dev.py check` looks through the package."""

from __future__ import annotations

from pathlib import Path

import house_rules
import house_shape
from tests.house.trees import plant

PART = "petstore_desktop/desk"


def test_lines_are_counted_without_blanks_comments_and_docstrings(tmp_path: Path) -> None:
    says, name = '"""Says,\n\nand more."""\n\n# a comment\n', 'A = """one\ntwo"""\n"""What A is."""\n\n\n'
    text = f"{says}{name}def f() -> int:  # code\n    return 1\n"
    (only,) = house_rules.package(plant(tmp_path, {f"{PART}/a.py": text}))
    assert only.lines == 4
    assert list(house_shape.figures([only])) == ["1 files, 4 lines of code", "desk 4"]


def test_a_class_name_in_two_files_is_found_and_a_private_one_is_not(tmp_path: Path) -> None:
    files = {f"{PART}/{name}.py": "class Kind: ...\nclass _Own: ...\n" for name in ("a", "b")}
    (found,) = house_shape.findings(house_rules.package(plant(tmp_path, files)))
    assert found == f"class names that stand twice: Kind: {PART}/a.py, {PART}/b.py"
