"""The import contracts of pyproject.toml hold, and would notice."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.house.trees import ROOT, plant, python


def lint(root: Path) -> tuple[int, str]:
    """Run import-linter over the package below `root`; return its exit code and what it said."""
    run = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"
    done = python(root, "-c", run)
    return done.returncode, done.stdout + done.stderr


def package(root: Path, **modules: str) -> Path:
    """Plant a package of our name with these modules (dots as double underscores), under the project's contracts."""
    shutil.copy(ROOT / "pyproject.toml", root)
    # The packages that have contracts of their own are expected to be there.
    files = {
        f"petstore_desktop/{folder}__init__.py": "" for folder in ("", "commands/", "adapters/", "ui/", "session/")
    }
    for name, text in modules.items():
        path = name.replace("__", "/")
        if "/" in path:
            files[f"petstore_desktop/{path.partition('/')[0]}/__init__.py"] = ""
        files[f"petstore_desktop/{path}.py"] = text
    return plant(root, files)


def test_the_package_keeps_its_layers() -> None:
    code, said = lint(ROOT)
    assert code == 0, said


def test_an_import_that_points_down_is_kept(tmp_path: Path) -> None:
    code, said = lint(package(tmp_path, cli="import petstore_desktop.clock\n", clock=""))
    assert code == 0, said


UP_OR_ASIDE = [
    ("clock", "domain__records"),
    ("domain__records", "contract__document"),
    ("store__journal", "api__client"),
    ("api__client", "sync__engine"),
    ("desk__rows", "ui__bridge"),
    ("session__session", "ui__bridge"),
    ("ui__bridge", "session__session"),
    ("demo__shop", "clock"),
    ("commands__doctor", "commands__connect"),
    ("adapters__updates", "adapters__shop"),
    ("shop__live_shop", "ui__bridge"),
]


def test_an_import_that_points_up_or_aside_is_found_even_inside_a_function(tmp_path: Path) -> None:
    modules = {name: "" for pair in UP_OR_ASIDE for name in pair}
    for importer, imported in UP_OR_ASIDE:
        modules[importer] = f"def later() -> None:\n    import petstore_desktop.{imported.replace('__', '.')}\n"
    code, said = lint(package(tmp_path, **modules))
    assert code == 1
    for importer, imported in UP_OR_ASIDE:
        one, other = (f"petstore_desktop.{name.replace('__', '.')}" for name in (importer, imported))
        assert f"{one} -> {other} (l.2)" in said, said


def test_a_top_level_module_without_a_place_is_an_error(tmp_path: Path) -> None:
    code, said = lint(package(tmp_path, helpers=""))
    assert (code, "petstore_desktop.helpers" in said) == (1, True), said
