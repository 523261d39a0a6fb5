"""The script that installs the folder for one person: installs, replaces, takes away, and never halfway."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.trees import ROOT

HERE = ROOT / "packaging" / "bundle"


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The archive's folder, with a program that says its version."""
    folder = tmp_path / "unpacked"
    (folder / "petstore-desktop" / "_internal").mkdir(parents=True)
    shutil.copy(HERE / "install.sh", folder)
    shutil.copy(ROOT / "packaging" / "deb" / "files" / "petstore-desktop.desktop", folder)
    shutil.copy(ROOT / "resources" / "icons" / "app.svg", folder / "petstore-desktop.svg")
    return release(folder, "1")


def release(folder: Path, version: str) -> Path:
    """Put another version into the archive's folder."""
    program = folder / "petstore-desktop" / "petstore-desktop"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    for old in (folder / "petstore-desktop" / "_internal").iterdir():
        old.unlink()
    (folder / "petstore-desktop" / "_internal" / f"part-{version}").write_text("x")
    return folder


def install(folder: Path, home: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run the script as a person whose home this is."""
    environment = {"HOME": str(home), "PATH": f"{path}{os.environ['PATH']}"}
    command = [str(folder / "install.sh"), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def installed(home: Path) -> str:
    """What the program in the person's own folder says."""
    return subprocess.run([home / ".local/bin/petstore-desktop"], capture_output=True, text=True, check=True).stdout


def test_it_is_installed_replaced_and_taken_away_and_what_is_kept_stays(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "a home"
    kept = home / ".local/share/petstore-desktop/preferences.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")
    before = {path.relative_to(home) for path in home.rglob("*") if path.is_file()}
    assert install(unpacked, home).returncode == 0
    assert installed(home) == "1\n"
    entry = (home / ".local/share/applications/petstore-desktop.desktop").read_text("utf-8")
    assert f"\nTryExec={home}/.local/lib/petstore-desktop/petstore-desktop\n" in entry
    assert f"\nExec={home}/.local/lib/petstore-desktop/petstore-desktop --demo\n" in entry
    assert install(release(unpacked, "2"), home).returncode == 0
    assert installed(home) == "2\n"
    assert [file.name for file in (home / ".local/lib/petstore-desktop/_internal").iterdir()] == ["part-2"]
    assert install(unpacked, home, "--remove").returncode == 0
    assert {path.relative_to(home) for path in home.rglob("*") if not path.is_dir()} == before


def test_a_disk_that_is_full_leaves_the_version_that_was_there(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert install(unpacked, home).returncode == 0
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cp").write_text('#!/bin/sh\nmkdir -p "$3"; echo half > "$3/petstore-desktop"; exit 1\n')
    (tools / "cp").chmod(0o755)
    done = install(release(unpacked, "2"), home, path=f"{tools}:")
    assert done.returncode != 0
    assert installed(home) == "1\n"
    assert [path.name for path in (home / ".local/lib").iterdir()] == ["petstore-desktop"]
