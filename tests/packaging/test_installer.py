"""The installer for Windows compiles, the disk image is signed step by step, the workflow fits the commands."""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

import dev
from release import ReleaseError, installer, owner, pictures, version
from release.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / "packaging" / "release" / "forge" / "release.yml"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A small folder in place of the bundle for Windows."""
    folder = tmp_path / "petstore-desktop"
    (folder / "_internal" / "PySide6").mkdir(parents=True)
    for name in ("petstore-desktop.exe", "petstore-desktop-cli.exe", "_internal/PySide6/Qt6Core.dll", "sbom.cdx.json"):
        (folder / name).write_bytes(b"MZ " + name.encode() * 100)
    (folder / "licences").mkdir()
    (folder / "licences" / "THIRD-PARTY.txt").write_text("Qt", "utf-8")
    return folder


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """An owner who has filled in everything."""
    place = tmp_path / "owner.toml"
    place.write_text("".join(f'{name} = "of the owner"\n' for name in owner.values()), "utf-8")
    return place


def test_the_installer_for_windows_compiles_without_a_warning_to_the_same_bytes(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = [installer.windows(bundle, tmp_path / name, signed=False) for name in ("one", "two")]
    assert made[0].name == f"petstore-desktop-{version.current()}-windows-x64.exe"
    content = made[0].read_bytes()
    assert content.startswith(b"MZ")
    assert content == made[1].read_bytes()
    assert [path.name for path in made[0].parent.iterdir()] == [made[0].name]  # the icon was for the compiler only
    for said in ("Pet Store Desktop setup", version.current(), "Pet Store Desktop contributors"):
        assert said.encode("utf-16-le") in content


def test_every_file_of_the_bundle_is_put_there_and_every_one_goes_again(bundle: Path) -> None:
    script = installer.NSI.read_text("utf-8")
    removed = set(re.findall(r'(?:Delete|RMDir /r) "\$INSTDIR\\([^"]+)"', script.partition('Section "Uninstall"')[2]))
    names = {"${PROGRAM}": "petstore-desktop.exe", "${CONSOLE}": "petstore-desktop-cli.exe"}
    assert {path.name for path in bundle.iterdir()} | {"uninstall.exe"} == {names.get(one, one) for one in removed}
    assert "RequestExecutionLevel user" in script
    assert not re.search(r"HKLM|APPDATA\\petstore|RMDir /r \"\$INSTDIR\"", script)  # what people made stays


def test_every_language_of_the_program_has_the_installer_s_own_texts() -> None:
    script = installer.NSI.read_text("utf-8")
    languages = re.findall(r'MUI_LANGUAGE "(\w+)"', script)
    assert len(languages) == len(list((ROOT / "resources" / "translations").glob("*.ts"))) + 1
    for name in set(re.findall(r"LangString (\w+)", script)):
        assert re.findall(rf"LangString {name} \${{LANG_(\w+)}}", script) == [one.upper() for one in languages]


def test_a_system_shows_the_program_by_the_name_that_its_window_says() -> None:
    said = {
        installer.NSI: r'!define NAME "(.+)"',
        ROOT / "packaging" / "bundle" / "petstore-desktop.spec": r'name="(.+)\.app"',
        installer.DMG: r'-volname "(.+?)"',
        ROOT
        / "packaging"
        / "deb"
        / "files"
        / "petstore-desktop.desktop": r"(?m)^\[Desktop Entry\]\n(?:.*\n)*?Name=(.+)$",
        ROOT / "packaging" / "deb" / "files" / "petstore-desktop.metainfo.xml": r"<name>(.+?)</name>",
        ROOT / "petstore_desktop" / "app.py": r'setApplicationDisplayName\("(.+)"\)',
    }
    found = {re.findall(pattern, file.read_text("utf-8"))[0] for file, pattern in said.items()}
    assert found == {"Pet Store Desktop"}
    for script in (installer.NSI, installer.DMG, WORKFLOW, ROOT / "packaging" / "bundle" / "install.sh"):
        assert not re.findall(r".*Pet Store(?! Desktop).*", script.read_text("utf-8")), script.name


def test_what_is_no_bundle_for_windows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"it has no petstore-desktop\.exe"):
        installer.windows(tmp_path, tmp_path / "out", signed=False)


def test_a_computer_without_the_compiler_is_told_what_to_install(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReleaseError, match="apt-get install nsis"):
        installer.windows(bundle, tmp_path / "out", signed=False)


def test_signing_for_windows_stops_at_a_placeholder_and_else_signs_both_programs(
    bundle: Path, tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "unfilled.toml"
    place.write_text('windows_certificate = "<name>"\n', "utf-8")
    with pytest.raises(ReleaseError, match=r"windows_certificate .* is not filled in"):
        installer.windows(bundle, tmp_path / "out", signed=True, place=place)
    log = stand_ins(tmp_path / "bin", "signtool")
    before_path(monkeypatch, tmp_path / "bin")
    installer.windows(bundle, tmp_path / "out", signed=True, place=filled)
    said = log.read_text("utf-8").splitlines()
    assert len(said) == 2  # what removes the program, then the installer that holds it
    assert all("sign /n of the owner /fd sha256 /tr of the owner /td sha256" in line for line in said)


def test_signing_for_windows_that_fails_makes_no_installer(
    bundle: Path, tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins(tmp_path / "bin", "signtool", code=1)
    before_path(monkeypatch, tmp_path / "bin")
    with pytest.raises(ReleaseError, match="makensis failed"):
        installer.windows(bundle, tmp_path / "out", signed=True, place=filled)
    assert not list((tmp_path / "out").glob("*.exe"))


def before_path(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have programs of this folder found first."""
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")  # house: platform - PATH is made of it


def stand_ins(folder: Path, *names: str, code: int = 0) -> Path:
    """Put programs of another system there, which write down what they are asked; return where."""
    folder.mkdir()
    log = folder / "asked.txt"
    for name in names:
        (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "{log}"\nexit {code}\n', "utf-8")
        (folder / name).chmod(0o755)
    return log


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A small folder in place of the program for macOS."""
    contents = tmp_path / "Pet Store Desktop.app" / "Contents"
    for name in (
        "MacOS/petstore-desktop", "Info.plist", "Frameworks/libpython3.11.dylib", "Frameworks/PySide6/QtCore.abi3.so",
        "Frameworks/PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
    ):  # fmt: skip
        (contents / name).parent.mkdir(parents=True, exist_ok=True)
        (contents / name).write_bytes(b"\xcf\xfa\xed\xfe")
    return contents.parent


def test_a_disk_image_is_signed_from_the_inside_out_checked_and_notarised(
    app: Path, tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stand_ins(tmp_path / "bin", "codesign", "hdiutil", "xcrun")
    before_path(monkeypatch, tmp_path / "bin")
    made = installer.macos(app, tmp_path / "out", filled)
    said = log.read_text("utf-8").splitlines()
    marks = (
        ".dylib", "QtCore.framework", "MacOS/petstore-desktop", ".app", "codesign --verify --deep --strict",
        "hdiutil create", f"of the owner {made}", "notarytool submit", "stapler staple", "stapler validate",
    )  # fmt: skip
    places = [
        next(at for at, line in enumerate(said) if mark in line and at >= least) for least, mark in enumerate(marks)
    ]
    assert places == sorted(places) == list(range(len(said)))
    assert ".so" in said[0]
    assert all("--options runtime" in line and "--timestamp" in line for line in said[:4])
    assert [str(installer.ENTITLEMENTS) in line for line in said[:4]] == [False, False, True, True]


@pytest.mark.parametrize("failing", ["codesign", "hdiutil", "xcrun"])
def test_a_step_that_fails_on_macos_ends_it(
    failing: str, app: Path, tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins(tmp_path / "bin", *({"codesign", "hdiutil", "xcrun"} - {failing}))
    stand_ins(tmp_path / "bad", failing, code=3)
    before_path(monkeypatch, tmp_path / "bin")
    before_path(monkeypatch, tmp_path / "bad")
    with pytest.raises(ReleaseError, match=r"make-dmg\.sh failed"):
        installer.macos(app, tmp_path / "out", filled)


def test_a_disk_image_stops_at_a_placeholder(app: Path, tmp_path: Path) -> None:
    place = tmp_path / "unfilled.toml"
    place.write_text('apple_identity = "<Developer ID>"\n', "utf-8")
    with pytest.raises(ReleaseError, match=r"apple_identity .* is not filled in"):
        installer.macos(app, tmp_path / "out", place)


def test_entitlements_let_replaced_libraries_load_and_nothing_more() -> None:
    said: dict[str, Any] = plistlib.loads(installer.ENTITLEMENTS.read_bytes())
    assert said == {
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
        "com.apple.security.cs.disable-library-validation": True,
    }


def test_icons_have_every_size_and_pictures_that_can_be_read(tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    ico, icns = pictures.write_all(tmp_path / "icons")
    content = ico.read_bytes()
    assert int.from_bytes(content[4:6], "little") == len(pictures.ICO_SIZES)
    for number, size in enumerate(pictures.ICO_SIZES):
        entry = content[6 + 16 * number : 22 + 16 * number]
        length, place = (int.from_bytes(entry[at : at + 4], "little") for at in (8, 12))
        image = QImage.fromData(content[place : place + length])
        assert image.size().toTuple() == (size, size)
        assert len({image.pixel(x, size // 2) for x in range(size)}) > 1  # there is something on it
    content = icns.read_bytes()
    assert (content[:4], int.from_bytes(content[4:8], "big")) == (b"icns", len(content))


def test_the_workflow_runs_commands_that_there_are_and_publishes_nothing_unsigned() -> None:
    text = WORKFLOW.read_text("utf-8")
    jobs: dict[str, Any] = yaml.safe_load(text)["jobs"]
    assert {"linux", "windows", "macos", "draft"} < set(jobs)
    steps = [step for job in jobs.values() for step in job["steps"]]
    runs = "\n".join(step.get("run", "") for step in steps)
    called = set(re.findall(r"packaging/dev\.py (\w+)(?: (\w+))?", runs))
    for command, also in called:
        assert command == "build" or command in dev.COMMANDS
        assert command != "release" or also in COMMANDS
    assert {also for command, also in called if command == "release"} >= {
        "owner",
        "notes",
        "installer",
        "dmg",
        "checksums",
    }
    for name in ("linux", "windows", "macos"):
        tried = "\n".join(step.get("run", "") for step in jobs[name]["steps"])
        assert "--demo --tour tour" in tried
    assert "--draft" in runs
    assert set(jobs["draft"]["needs"]) == {"linux", "windows", "macos"}
    secrets = set(re.findall(r"secrets\.(\w+)", text))
    assert secrets <= set(re.findall(r"\b[A-Z]+_[A-Z_]+\b|\bAPPLE_ID\b", text.partition("name: release")[0]))


@pytest.mark.skipif(shutil.which("bash") is None, reason="the scripts of the workflow are bash's")
def test_the_scripts_of_the_workflow_are_bash() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
    scripts = [s["run"] for job in jobs.values() for s in job["steps"] if "run" in s and s.get("shell") != "pwsh"]
    for script in (*scripts, installer.DMG.read_text("utf-8")):
        done = subprocess.run(["bash", "-n"], input=script, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
