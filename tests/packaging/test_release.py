"""The version stands in one place, and a release is cut from a clean checkout only."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from importlib.metadata import version as installed
from pathlib import Path

import pytest

import petstore_desktop
from bundle import folder
from release import ReleaseError, cut, owner, version

ROOT = Path(__file__).resolve().parents[2]
CHANGES = """# Changelog

## [Unreleased]

### Added

- A thing.

## [0.1.0] - 2026-01-02

- First.
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout of its own."""
    (tmp_path / "petstore_desktop").mkdir()
    (tmp_path / version.PLACE).write_text('"""Text."""\n\n__version__ = "0.1.0"\n', "utf-8")
    (tmp_path / cut.CHANGELOG).write_text(CHANGES, "utf-8")
    for command in (
        ["init", "--quiet"], ["config", "user.name", "somebody"], ["config", "user.email", "somebody@example.org"],
        ["config", "commit.gpgsign", "false"], ["config", "tag.gpgsign", "false"],
        ["add", "."], ["commit", "--quiet", "--message", "first"],
    ):  # fmt: skip
        subprocess.run(["git", *command], check=True, cwd=tmp_path)
    return tmp_path


def state(checkout: Path) -> tuple[str, ...]:
    """All that a release may change."""
    said = cut.git(checkout, "rev-parse", "HEAD"), cut.git(checkout, "tag"), cut.git(checkout, "status", "--porcelain")
    return *said, (checkout / cut.CHANGELOG).read_text("utf-8"), version.current(checkout)


def test_the_version_is_said_in_one_place_which_the_metadata_and_the_package_agree_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == version.PLACE.as_posix()
    assert version.current() == petstore_desktop.__version__ == installed("petstore-desktop")
    written = re.compile(rf"(?<![\d.]){re.escape(version.current())}(?![\d.])")
    folders = (ROOT / "packaging", ROOT / "petstore_desktop")
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".nsi", ".sh", ".yml")]
    assert [file for file in files if written.search(file.read_text("utf-8"))] == [ROOT / version.PLACE]


def test_a_release_is_a_commit_and_a_tag_with_version_and_changelog(checkout: Path) -> None:
    assert cut.cut("0.2.0", checkout, "2026-03-04") == "v0.2.0"
    text = (checkout / cut.CHANGELOG).read_text("utf-8")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n\n### Added\n\n- A thing.\n\n## [0.1.0]" in text
    assert version.current(checkout) == "0.2.0"
    assert cut.section(text, "0.2.0") == "### Added\n\n- A thing."
    assert cut.section(text, "0.1.0") == "- First."
    assert cut.section(text, "Unreleased") == ""
    assert cut.git(checkout, "status", "--porcelain") == ""
    assert cut.git(checkout, "rev-parse", "v0.2.0^{commit}") == cut.git(checkout, "rev-parse", "HEAD")
    assert cut.git(checkout, "show", "--stat", "--format=%s", "HEAD").startswith("Release 0.2.0\n")


def test_the_first_release_keeps_the_version_that_is_there(checkout: Path) -> None:
    (checkout / cut.CHANGELOG).write_text(CHANGES.partition("## [0.1.0]")[0], "utf-8")
    subprocess.run(["git", "commit", "--quiet", "--all", "--message", "no release yet"], check=True, cwd=checkout)
    assert cut.cut("0.1.0", checkout) == "v0.1.0"


@pytest.mark.parametrize(
    ("new", "before", "said"),
    [
        ("0.0.9", [], "is older than 0.1.0"),
        ("0.2", [], "is no version"),
        ("v0.2.0", [], "is no version"),
        ("0.1.0", [], "has a section for 0.1.0 already"),
        ("0.2.0", [["tag", "v0.2.0"]], "never made twice"),
    ],
)
def test_a_wrong_version_is_refused_and_nothing_is_changed(
    checkout: Path, new: str, before: list[list[str]], said: str
) -> None:
    for command in before:
        subprocess.run(["git", *command], check=True, cwd=checkout)
    was = state(checkout)
    with pytest.raises(ReleaseError, match=said):
        cut.cut(new, checkout)
    assert state(checkout) == was


@pytest.mark.parametrize("name", ["new-file.txt", "CHANGELOG.md"])
def test_a_checkout_with_changes_is_refused(checkout: Path, name: str) -> None:
    with (checkout / name).open("a", encoding="utf-8") as file:
        file.write("more\n")
    was = state(checkout)
    with pytest.raises(ReleaseError, match=rf"not committed:\n.*{re.escape(name)}"):
        cut.cut("0.2.0", checkout)
    assert state(checkout) == was


def test_a_release_without_anything_to_tell_is_refused(checkout: Path) -> None:
    cut.cut("0.2.0", checkout)
    with pytest.raises(ReleaseError, match="nothing under"):
        cut.cut("0.3.0", checkout)


def test_a_release_with_texts_in_english_is_refused(checkout: Path) -> None:
    folder = checkout / cut.TRANSLATIONS
    folder.mkdir(parents=True)
    for language, said in (("de", cut.UNFINISHED), ("fr", "")):
        (folder / f"petstore_{language}.ts").write_text(f"<translation {said} />", "utf-8")
    subprocess.run(["git", "add", "."], check=True, cwd=checkout)
    subprocess.run(["git", "commit", "--quiet", "--message", "new texts"], check=True, cwd=checkout)
    was = state(checkout)
    with pytest.raises(ReleaseError, match=r"not translated yet in petstore_de\.ts\."):
        cut.cut("0.2.0", checkout)
    assert state(checkout) == was


def test_the_changelog_of_this_checkout_can_be_cut() -> None:
    text = (ROOT / cut.CHANGELOG).read_text("utf-8")
    made = cut.with_section(text, "9.9.9", "2030-01-01")
    assert cut.section(made, "9.9.9") == cut.section(text, "Unreleased") or not cut.section(text, "Unreleased")
    assert cut.section(made, "Unreleased") == ""


def test_placeholders_of_the_owner_stop_what_needs_them(tmp_path: Path) -> None:
    names = owner.missing()
    assert set(names) <= set(owner.values())
    for name in names:
        with pytest.raises(ReleaseError, match=rf"{name} in packaging/release/owner\.toml is not filled in"):
            owner.value(name)
    place = tmp_path / "owner.toml"
    place.write_text('homepage = "https://example.org"\nsecurity_contact = " "\n', "utf-8")
    assert owner.value("homepage", place) == "https://example.org"
    assert owner.missing(place) == ["security_contact"]
    with pytest.raises(ReleaseError, match="it is missing"):
        owner.value("minisign_public_key", place)


def test_the_help_names_every_command() -> None:
    from release import __main__ as commands

    named = re.findall(r"^([a-z][\w-]*) ", commands.__doc__ or "", re.MULTILINE)
    assert sorted(named) == sorted(commands.COMMANDS)


@pytest.mark.parametrize(
    ("address", "key", "told"),
    [
        ("https://shop.example/u.json", "RWQx", {"address": "https://shop.example/u.json", "key": "RWQx"}),
        ("none", "RWQx", None),
        ("<https://...>", "RWQx", None),
        ("https://shop.example/u.json", "<one line>", None),
    ],
)
def test_the_bundle_knows_the_owners_address_for_updates_and_no_other(
    tmp_path: Path, address: str, key: str, told: dict[str, str] | None
) -> None:
    inside = tmp_path / "bundle" / "_internal" / "petstore_desktop" / "_resources"
    inside.mkdir(parents=True)
    place = tmp_path / "owner.toml"
    place.write_text(f'updates_address = "{address}"\nminisign_public_key = "{key}"\n', "utf-8")
    folder.tell_where_updates_are(tmp_path / "bundle", place)
    found = inside / "updates.json"
    assert (json.loads(found.read_text("utf-8")) if found.exists() else None) == told
