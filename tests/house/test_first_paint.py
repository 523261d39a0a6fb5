"""What a start loads before its first paint is watched; test_start.py asks the program itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.trees import plant
from tests.support import first_paint

WINDOW = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
{before}
def later():
    import asyncio
app = QApplication([])
QTimer.singleShot(0, lambda: QTimer.singleShot(500, later))
window = QMainWindow()
window.show()
app.exec()
"""


def planted(root: Path, before: str, **modules: str) -> Path:
    files = {"petstore_desktop/__init__.py": "", "petstore_desktop/__main__.py": WINDOW.format(before=before)}
    return plant(root, files | {f"petstore_desktop/{name}.py": text for name, text in modules.items()})


def test_what_is_imported_after_the_first_paint_is_let_through(tmp_path: Path) -> None:
    loaded = first_paint.modules(planted(tmp_path, before="import json"))
    assert ("PySide6.QtWidgets" in loaded, first_paint.complaints(loaded)) == (True, [])


def test_a_slow_library_before_the_first_paint_is_found_however_deep(tmp_path: Path) -> None:
    root = planted(tmp_path, before="import petstore_desktop.deep", deep="def load():\n    import asyncio\nload()\n")
    found = first_paint.complaints(first_paint.modules(root))
    assert found == [f"{name} is loaded before the first paint" for name in ("asyncio", "ssl")]


def test_a_program_that_paints_nothing_is_an_error(tmp_path: Path) -> None:
    plant(tmp_path, {"petstore_desktop/__init__.py": "", "petstore_desktop/__main__.py": "print('[]', 1 / 0)\n"})
    with pytest.raises(RuntimeError, match="nothing was painted"):
        first_paint.modules(tmp_path)
