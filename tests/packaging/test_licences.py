"""The licences of everything in a bundle: a text for each, a notice for Qt that is true, and a build that fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from importlib.metadata import version as installed
from pathlib import Path

import pytest

from petstore_desktop import resources
from petstore_desktop.ui.program.program_dialogs import LIBRARIES
from release import ReleaseError
from release.inside import licences, texts
from release.inside.contents import Component, Environment, licence_of
from release.inside.describe import describe
from release.inside.texts import SHARED, Texts, chosen
from tests.packaging.bundles import SITE, link, link_file, packages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Where texts are: the system, and for what is not installed here a folder as `gather` makes it."""
    folder = tmp_path_factory.mktemp("texts")
    have = Texts(Environment(SITE), (SHARED,))
    for source in texts.sources():
        try:
            have.find(source)
        except ReleaseError:
            name = source.partition(":")[2]
            texts.put(
                folder / "doc" / name / "copyright",
                f"copyright of {name}; see /usr/share/common-licenses/GPL-2.".encode(),
            )
    return folder, SHARED


def test_every_component_has_a_text_and_the_list_says_where(
    bundle: Path, found: list[Component], places: tuple[Path, ...], tmp_path: Path
) -> None:
    out = tmp_path / "licences"
    licences.write(found, packages(bundle), out, places)
    listed = (out / "THIRD-PARTY.txt").read_text("utf-8")
    named = re.findall(r"^    text: (.+)$", listed, re.MULTILINE)
    assert named
    assert all((out / name).stat().st_size > 20 for name in named)
    for one in found:
        inside = f" (inside {one.within})" if one.within else ""
        entry = re.search(rf"^{re.escape(one.title + inside)}\n(?:    .+\n)*?    text: ", listed, re.MULTILINE)
        assert entry, one.title
    assert (out / "common" / "GPL-2.txt").is_file()  # which a copyright file of Debian's only names
    mit = (out / "parts" / "MIT.txt").read_text("utf-8")
    assert "Permission is hereby granted" in mit
    assert "Pet Store Desktop contributors" not in mit  # the holders are others


def test_texts_are_those_of_the_very_wheels(
    bundle: Path, found: list[Component], places: tuple[Path, ...], tmp_path: Path
) -> None:
    licences.write(found, packages(bundle), tmp_path / "l", places)
    httpx = next(SITE.glob("httpx-*.dist-info/licenses/LICENSE.md"))
    assert (tmp_path / "l" / f"httpx-{installed('httpx')}" / "LICENSE.md").read_bytes() == httpx.read_bytes()


def test_the_notice_says_what_the_lgpl_asks_for_with_the_versions_in_the_bundle(found: list[Component]) -> None:
    said = licences.notice(found, "0.1.0")
    qt = installed("PySide6-Essentials")
    for part in (
        f"Qt {qt}, PySide6 {qt}",
        "LGPL-3.txt",
        "GPL-3.txt",
        f"/{qt}/single/",
        "replaced together",
        "take the program apart",
    ):
        assert part in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 120
    with pytest.raises(ReleaseError, match="qt not found"):
        licences.notice([one for one in found if one.name != "Qt"], "0.1.0")
    mixed = [replace(one, version="6.8.0") if one.name == "shiboken6" else one for one in found]
    with pytest.raises(ReleaseError, match="do not belong together"):
        licences.notice(mixed, "0.1.0")


def test_a_text_that_is_nowhere_fails_the_build_and_says_how_to_get_it(
    bundle: Path, found: list[Component], tmp_path: Path
) -> None:
    with pytest.raises(ReleaseError, match=r"is in none of .*release texts build/licence-texts"):
        licences.write(found, packages(bundle), tmp_path / "l", (tmp_path / "empty",))


def test_a_package_without_any_text_fails_the_build(tmp_path: Path) -> None:
    about = tmp_path / "silent-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.4\nName: silent\nVersion: 1.0\n", "utf-8")
    (about / "RECORD").write_text("silent.py,,\nsilent-1.0.dist-info/METADATA,,\n", "utf-8")
    silent = Environment(tmp_path)
    with pytest.raises(ReleaseError, match=r"silent 1\.0 brings no text"):
        Texts(silent).find("package:silent")
    with pytest.raises(ReleaseError, match="does not say what its licence is"):
        licence_of(silent.packages["silent"])


@pytest.mark.parametrize(
    ("expression", "under"),
    [
        ("MIT", ["MIT"]),
        ("Apache-2.0 OR MIT", ["MIT"]),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", ["MIT", "Unicode-3.0"]),
        ("MIT AND (MIT AND BSD-3-Clause)", ["MIT", "MIT", "BSD-3-Clause"]),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", ["MIT"]),
        ("Apache-2.0 WITH LLVM-exception", ["Apache-2.0"]),
        ("Unlicense OR MIT", ["MIT"]),
    ],
)
def test_of_several_licences_one_is_chosen_and_of_joined_ones_all_hold(expression: str, under: list[str]) -> None:
    assert chosen(expression) == under


@pytest.mark.parametrize("expression", ["AGPL-3.0-only", "MIT AND Sleepycat", ""])
def test_a_licence_without_a_known_text_fails_the_build(expression: str) -> None:
    with pytest.raises(ReleaseError, match="No text is known"):
        chosen(expression)


def test_texts_of_debian_are_found_under_the_number_that_a_release_gives_its_packages(tmp_path: Path) -> None:
    for name in ("libicu76", "libqt6core6t64", "libicu-dev", "libpcre2-16-0"):
        texts.put(tmp_path / "doc" / name / "copyright", name.encode())
    have = Texts(Environment(SITE), (tmp_path,))
    assert have.find("doc:libicu")[0][1] == b"libicu76"
    assert have.find("doc:libqt6core6")[0][1] == b"libqt6core6t64"
    assert have.find("doc:libpcre2-16-0")[0][1] == b"libpcre2-16-0"
    with pytest.raises(ReleaseError, match="doc/libyaml-0-2/copyright"):
        have.find("doc:libyaml-0-2")


def test_gathered_texts_are_enough_on_a_system_that_has_none(
    bundle: Path, found: list[Component], places: tuple[Path, ...], tmp_path: Path
) -> None:
    gathered = tmp_path / "gathered"
    shutil.copytree(places[0], gathered)
    assert texts.gather(gathered) == []  # nothing to fetch: what is not installed is there already
    licences.write(found, packages(bundle), tmp_path / "l", (gathered,))
    assert (tmp_path / "l" / "README.txt").is_file()


def test_a_text_that_is_not_installed_is_fetched_as_debian_s_package_and_only_the_text_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, tools = tmp_path / "libicu99", tmp_path / "bin"
    texts.put(root / "DEBIAN" / "control", CONTROL)
    texts.put(root / "usr" / "share" / "doc" / "libicu99" / "copyright", b"ICU's licence")
    texts.put(root / "usr" / "lib" / "libicu.so", b"much")
    subprocess.run(["dpkg-deb", "--build", str(root), str(tmp_path / "made.deb")], check=True, capture_output=True)
    script(tools / "apt-cache", "printf 'libicu-dev\\nlibicu99\\nlibicu99-dbg\\n'")
    script(tools / "apt-get", f'[ "$1 $3" = "download libicu99" ] && cp "{tmp_path}/made.deb" .')
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")  # house: platform - PATH is made of it
    out = tmp_path / "out"
    assert texts.fetch("libicu", out).read_bytes() == b"ICU's licence"
    assert [path.name for path in out.rglob("*") if path.is_file()] == ["copyright"]
    assert Texts(Environment(SITE), (out,)).find("doc:libicu")[0][1] == b"ICU's licence"
    with pytest.raises(ReleaseError, match="could not download libyaml-0-2"):
        texts.fetch("libyaml-0-2", out)


CONTROL = b"Package: libicu99\nVersion: 1\nArchitecture: all\nMaintainer: a <a@example.org>\nDescription: of a test\n"


def script(place: Path, body: str) -> None:
    """Put a program there."""
    texts.put(place, f"#!/bin/sh\n{body}\n".encode())
    place.chmod(0o755)


def test_a_bundle_is_described_where_the_program_looks_and_twice_the_same(
    bundle: Path, places: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(licences.write, "__defaults__", (places,))
    other = tmp_path / "petstore-desktop"
    shutil.copytree(bundle, other, copy_function=link_file)
    first = [content(place) for place in describe(other, packages(bundle))]
    assert [content(place) for place in describe(other, packages(bundle))] == first
    monkeypatch.setattr(sys, "executable", str(other / "petstore-desktop"))
    resources.licences.cache_clear()
    assert resources.licences() == other / "licences"
    resources.licences.cache_clear()


def test_a_program_of_macos_is_described_among_its_resources(
    bundle: Path, places: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(licences.write, "__defaults__", (places,))
    app = tmp_path / "Pet Store Desktop.app" / "Contents"
    shutil.copytree(bundle / "_internal", app / "Frameworks", copy_function=link_file)
    (app / "MacOS").mkdir()
    (app / "Resources").mkdir()
    link(bundle / "petstore-desktop", app / "MacOS" / "petstore-desktop")
    (app / "Info.plist").write_bytes(b"<plist/>")
    describe(app.parent, packages(bundle))
    monkeypatch.setattr(sys, "executable", str(app / "MacOS" / "petstore-desktop"))
    resources.licences.cache_clear()
    assert resources.licences() == app / "Resources" / "licences"
    resources.licences.cache_clear()
    said = json.loads((app / "Resources" / "sbom.cdx.json").read_text("utf-8"))
    assert {"Qt", "httpx", "h11", "CPython"} <= {one["name"] for one in said["components"]}


def content(place: Path) -> dict[str, bytes]:
    """All files of a folder, or one file."""
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    return {str(path): path.read_bytes() for path in files}


def test_about_names_everything_that_the_program_depends_on() -> None:
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = {re.split(r"[<>=\[;]", one)[0].lower() for one in needs}
    named = {name.lower() for group, _ in LIBRARIES for name in group.split(", ")}
    assert names <= named


@pytest.mark.parametrize(("names", "licence"), LIBRARIES)
def test_about_says_the_licence_that_each_package_says(names: str, licence: str) -> None:
    short = {"any OSI-approved licence": "any-OSI", "LGPL-3.0": "LGPL-3.0-only"}.get(licence, licence)
    environment = Environment(SITE)
    for name in names.split(", "):
        package = environment.packages.get(name.lower())
        if package is not None:
            said = licence_of(package)
            assert short in said or (said in ("BSD License", "BSD-3-Clause") and short == "BSD-3-Clause"), name
