"""The list of what is in a bundle: complete, with versions that the files themselves say, the same each time."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography.hazmat.backends.openssl import backend
from PySide6.QtCore import qVersion

from release import ReleaseError
from release.inside import frozen, native, sbom
from release.inside.contents import Component, Environment, components
from release.inside.frozen import Bundle
from tests.packaging.bundles import SITE, executable, link_file, packages


def versions(found: list[Component], within: str = "") -> dict[str, str]:
    return {one.name: one.version for one in found if one.within == within}


def test_libraries_inside_wheels_are_listed_with_the_versions_that_they_run_as(found: list[Component]) -> None:
    qt = versions(found, "pyside6-essentials")
    assert qt["Qt"] == qVersion()
    assert {"ICU", "PCRE2", "HarfBuzz", "libpng"} <= set(qt)
    assert all(qt.values())
    assert versions(found, "apsw")["SQLite"] == apsw.sqlite_lib_version()
    assert versions(found, "cryptography")["OpenSSL"] == backend.openssl_version_text().split()[1]
    assert versions(found)["CPython"] == platform.python_version()
    assert versions(found, "pyyaml")["libyaml"] == yaml_version()


def yaml_version() -> str:
    import yaml._yaml

    return str(yaml._yaml.get_version_string())


def test_packages_are_those_in_the_bundle_and_none_that_is_only_installed(found: list[Component]) -> None:
    listed = versions(found)
    for name in ("httpx", "certifi", "PySide6_Essentials", "shiboken6", "h11", "anyio"):
        assert listed[name] == version(name)
    assert not {"pytest", "ruff", "starlette", "keyring", "petstore-desktop"} & set(listed)


def test_parts_that_a_wheel_lists_are_taken_over_but_for_the_tools_of_its_build(found: list[Component]) -> None:
    said = json.loads(next((SITE).glob("pydantic_core-*/sboms/*.json")).read_text("utf-8"))["components"]
    needed = {one["name"] for one in said if one.get("scope") != "excluded"}
    assert {
        one.name for one in found if one.within == "pydantic-core" and one.said_by == "the list in its wheel"
    } == needed
    said_twice = [one for one in found if one.name.lower() == "openssl" and not one.purl.startswith("pkg:cargo/")]
    assert len(said_twice) == 1  # its mark and the wheel's list agree


def test_the_list_is_of_the_form_of_cyclonedx_and_the_same_each_time(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for name in ("one.json", "two.json"):
        sbom.write(bundle, packages(bundle), tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    said: dict[str, Any] = json.loads((tmp_path / "one.json").read_text("utf-8"))
    assert (said["bomFormat"], said["specVersion"]) == ("CycloneDX", "1.6")
    assert said["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"
    refs = [one["bom-ref"] for one in said["components"]]
    assert len(refs) == len(set(refs))
    named = {ref for one in said["dependencies"] for ref in (one["ref"], *one["dependsOn"])}
    assert named <= {*refs, "petstore-desktop"}
    for one in said["components"]:
        assert len(one["licenses"]) == 1 or one["name"] == "openssl", one
        for place in one.get("evidence", {}).get("occurrences", ()):
            assert (bundle / place["location"]).is_file()
    assert str(bundle) not in (tmp_path / "one.json").read_text("utf-8")


def test_a_file_of_nobody_fails_the_build(bundle: Path, tmp_path: Path) -> None:
    other = tmp_path / "bundle"
    shutil.copytree(bundle, other, copy_function=link_file)
    (other / "_internal" / "left-over.txt").write_text("of a test")
    with pytest.raises(ReleaseError, match=r"1 files or modules .*left-over\.txt"):
        components(Bundle(other), Environment(packages(bundle)))


def test_a_library_of_nobody_fails_the_build(tmp_path: Path) -> None:
    (tmp_path / "_internal").mkdir()
    (tmp_path / "_internal" / "libunknown.so.1").write_bytes(b"\x7fELF and nothing known")
    with pytest.raises(ReleaseError, match=r"libunknown\.so\.1"):
        components(Bundle(tmp_path), Environment(SITE))


def test_a_module_of_nobody_fails_the_build(tmp_path: Path) -> None:
    (tmp_path / "petstore-desktop").write_bytes(executable(["json", "left_over_module"]))
    with pytest.raises(ReleaseError, match="module left_over_module"):
        components(Bundle(tmp_path), Environment(SITE))


def test_a_library_whose_version_must_be_known_and_is_not_fails_the_build(tmp_path: Path) -> None:
    (tmp_path / "libcrypto.so.9").write_bytes(b"\x7fELF OPENSSLDIR: nothing more")
    with pytest.raises(ReleaseError, match=r"version of OpenSSL cannot be read from libcrypto\.so\.9"):
        components(Bundle(tmp_path), Environment(SITE))


def test_modules_inside_an_executable_are_read_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    content = executable(["httpx", "httpx._client"], b"MZ of a launcher")
    assert frozen.packed_modules(content) == {"httpx", "httpx._client"}
    assert frozen.packed_modules(b"MZ of another program") is None
    with pytest.raises(ReleaseError, match="another PyInstaller"):
        frozen.packed_modules(content.replace(b"PYZ\0", b"PYX\0"))


@pytest.mark.parametrize(
    ("place", "package"),
    [
        ("_internal/httpx/_client.py", "httpx/_client.py"),
        ("Pet Store Desktop.app/Contents/Frameworks/PySide6/QtCore.abi3.so", "PySide6/QtCore.abi3.so"),
        ("Contents/Resources/certifi/cacert.pem", "certifi/cacert.pem"),
        ("Contents/Frameworks/python3__dot__11/lib-dynload/_ssl.so", "python3.11/lib-dynload/_ssl.so"),
        ("httpx/_client.py", "httpx/_client.py"),
    ],
)
def test_places_in_bundles_of_three_systems_are_those_of_packages(place: str, package: str) -> None:
    assert frozen.inner(frozen.PurePosixPath(place)) == package


WINDOWS = b"MZ\0\0"
MACOS = b"\xcf\xfa\xed\xfe"


@pytest.mark.parametrize(
    ("begin", "name", "bytes_of_it", "library", "said"),
    [
        (WINDOWS, "Qt6Core.dll", b"qt.core.logging\0Qt 6.11.3 (x86_64-little_endian-llp64 shared", "Qt", "6.11.3"),
        (MACOS, "QtCore", b"qt.core.logging\0Qt 6.9.1 (arm64-little_endian-lp64 shared", "Qt", "6.9.1"),
        (WINDOWS, "Qt6Widgets.dll", b"", "Qt", ""),
        (MACOS, "libqcocoa.dylib", b"", "Qt", ""),
        (WINDOWS, "libcrypto-3.dll", b"OPENSSLDIR: C:\0OpenSSL 3.0.15 3 Sep 2024\0", "OpenSSL", "3.0.15"),
        (WINDOWS, "libssl-3.dll", b"", "OpenSSL", ""),
        (WINDOWS, "sqlite3.dll", b"SQLite format 3\0 3.45.1\0", "SQLite", "3.45.1"),
        (WINDOWS, "python311.dll", b"Python Software Foundation.\n\x003.11.9\0", "CPython", "3.11.9"),
        (MACOS, "Python", b"Python Software Foundation.\n \xf0\x0c\x0b\x03\0\0\0\0", "CPython", "3.11.12"),
        (WINDOWS, "VCRUNTIME140_1.dll", b"", "Microsoft Visual C++ runtime", ""),
        (MACOS, "libgcc_s.1.1.dylib", b"", "GCC runtime libraries", ""),
    ],
)
def test_libraries_of_other_systems_are_told_by_the_same_marks(
    begin: bytes, name: str, bytes_of_it: bytes, library: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(begin + bytes_of_it)
    assert frozen.is_binary(tmp_path / name)
    assert [(mark.name, version) for mark, version in native.marks_in(begin + bytes_of_it, name)] == [(library, said)]


def test_two_versions_in_one_file_are_no_version() -> None:
    content = b"SQLite format 3\0 3.45.1\0 3.44.0\0"
    assert [version for _, version in native.marks_in(content, "x.so")] == [""]


@pytest.mark.linux("packages are Debian's")
def test_a_library_of_the_system_is_told_by_its_build_id_also_when_stripped() -> None:
    said = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    library = Path(next(line.rpartition("=> ")[2] for line in said.splitlines() if "libfontconfig.so.1 " in line))
    content = library.resolve().read_bytes() + b"changed, as strip(1) would"
    package = native.system_package("libfontconfig.so.1", content)
    assert package is not None
    asked = ["dpkg-query", "-W", "-f", "${Version}", "libfontconfig1"]
    assert package.name == "libfontconfig1"
    assert package.version == subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    assert native.system_package("libfontconfig.so.1", b"\x7fELF of another build") is None


def test_the_list_is_made_on_the_command_line(bundle: Path, tmp_path: Path) -> None:
    from release.__main__ import main

    assert main(["sbom", str(bundle), str(packages(bundle)), str(tmp_path / "out.json")]) == 0
    assert main(["sbom", str(tmp_path / "none"), str(SITE), str(tmp_path / "out.json")]) == 1
