"""What dev.py installs is pinned: by version, by hash, for every system, and without the name of an index."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.trees import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRA = PROJECT["optional-dependencies"]
FILES = {
    "runtime.txt": PROJECT["dependencies"],
    "install.txt": ["hatchling", "editables"],
    "dev.txt": EXTRA["dev"],
    "ship.txt": EXTRA["ship"],
}


def pins(*names: str) -> dict[str, tuple[Requirement, list[str]]]:
    """Return name -> (the pinned requirement, its hashes) of these files."""
    found: dict[str, tuple[Requirement, list[str]]] = {}
    for name in names:
        text = (ROOT / "packaging" / "pins" / name).read_text("utf-8").replace("\\\n", " ")
        for line in text.splitlines():
            if line and not line.startswith("#"):
                head, *hashes = line.split("--hash=sha256:")
                requirement = Requirement(head)
                found[canonicalize_name(requirement.name)] = (requirement, [digest.strip() for digest in hashes])
    return found


@pytest.mark.parametrize("file", FILES)
def test_every_dependency_is_pinned_to_a_version_that_the_project_allows(file: str) -> None:
    pinned = pins(*FILES)
    for wanted in map(Requirement, FILES[file]):
        requirement, _ = pinned[canonicalize_name(wanted.name)]
        (exact,) = requirement.specifier
        assert (exact.operator, wanted.specifier.contains(exact.version)) == ("==", True), wanted


def test_every_pin_carries_whole_hashes() -> None:
    for name, (_, hashes) in pins(*FILES).items():
        assert hashes and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in hashes), name


def test_what_holds_binaries_is_pinned_for_linux_windows_and_macos() -> None:
    pinned = pins(*FILES)
    for name in ("pyside6-essentials", "shiboken6", "apsw", "pydantic-core", "msgspec", "pyyaml", "ruff"):
        assert len(pinned[name][1]) >= 3, name


@pytest.mark.parametrize(
    ("name", "system"),
    [("pywin32-ctypes", "win32"), ("colorama", "win32"), ("secretstorage", "linux"), ("jeepney", "linux")],
)
def test_what_one_system_needs_is_pinned_for_that_system(name: str, system: str) -> None:
    marker = pins(*FILES)[name][0].marker
    assert marker is not None
    assert {other: marker.evaluate({"sys_platform": other}) for other in ("linux", "win32", "darwin")} == {
        other: other == system for other in ("linux", "win32", "darwin")
    }


def test_the_pins_name_no_address() -> None:
    for file in FILES:
        assert not re.search(
            r"://|--(?:extra-)?index|--find-links", (ROOT / "packaging" / "pins" / file).read_text("utf-8")
        )
