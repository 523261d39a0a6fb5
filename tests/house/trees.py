"""Plants files into a tree of its own, so that a check can be shown to catch what it is there for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def plant(root: Path, files: dict[str, str]) -> Path:
    """Write the files (path -> text) under `root` and return it."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return root


def copy_of_the_watched_house(root: Path) -> Path:
    """Give `root` the project's own settings for tests and imports, its conftest and what that needs."""
    (root / "tests").mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copy(ROOT / "tests" / "conftest.py", root / "tests")
    (root / "packaging").mkdir(exist_ok=True)
    for name in ("machine.py", "translations.py"):
        shutil.copy(ROOT / "packaging" / name, root / "packaging")
    shutil.copytree(ROOT / "tests" / "support", root / "tests" / "support")
    return root


def python(root: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in `root`, away from CI's own settings, and return what it said."""
    inherited = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    command = [sys.executable, *args]
    return subprocess.run(command, cwd=root, env=inherited | env, capture_output=True, text=True, check=False)
