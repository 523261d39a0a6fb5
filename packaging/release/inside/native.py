"""Finds libraries inside binaries by the bytes that only they have, and reads their versions from there.

Nothing is concluded from the name of a package: a library is listed where its own bytes are, with the version that
they say. What stands in no table here is asked of the system whose file it is (`system_package`).
"""

from __future__ import annotations

import hashlib
import re
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from release import ReleaseError

Reader: TypeAlias = Callable[[bytes], set[str]]
"""Returns the versions that the bytes of a library say."""


def said(pattern: bytes) -> Reader:
    """Return a reader of versions: the group of a pattern."""
    return lambda content: {found.decode() for found in re.findall(pattern, content)}


def python_version(content: bytes) -> set[str]:
    """Read Python's version from its number Py_Version (four bytes, then zeros), or from a text where there is none."""
    numbers = re.findall(rb"\xf0([\x00-\x20])([\x0b-\x14])\x03\x00{4}", content)
    texts = said(rb"\x00(3\.1\d\.\d{1,2})\x00")(content)
    return {f"3.{minor[0]}.{micro[0]}" for micro, minor in numbers} or texts


@dataclass(frozen=True, slots=True)
class Mark:
    """How a library is told: by bytes in it, or by the name of a file that is nothing else."""

    name: str
    licence: str
    """An SPDX expression."""
    signs: tuple[bytes, ...]
    """Texts, each of which only the library itself has, not what calls it."""
    versions: Reader
    texts: tuple[str, ...] = ()
    """Where the text of its licence is (texts.py); `wheel`: what the package that brings it says, too."""
    files: str = r"(?!)"
    """A pattern for names of files that belong to it without having the sign."""
    must: bool = False
    """Whether the version must be found."""


NO_VERSION = said(rb"((?!))")
OPENSSL = rb"OpenSSL (\d+\.\d+\.\d+[a-z]?) \d{1,2} [A-Z][a-z]{2} 20\d\d"
QT_FILES = r"(?i)(?:lib)?Qt6?[A-Z]\w*(?:\.so.*|\.dll|\.dylib|)$|(?:lib)?q\w+\.(?:so|dll|dylib)$"
MARKS = (
    Mark("Qt", "LGPL-3.0-only", (b"qt.core.logging", b"qt_register_signal_spy_callbacks"),
         said(rb"Qt (\d+\.\d+\.\d+) \([a-z]"),

                ("common:LGPL-3", "common:GPL-3", "doc:libqt6core6", "doc:libqt6svg6", "doc:libqt6waylandclient6"),
         QT_FILES, must=True),
    Mark("ICU", "Unicode-DFS-2016", (b"icudt", b"ICU_TIMEZONE_FILES_DIR"), said(rb"\x00([5-9]\d\.\d(?:\.\d)?)\x00"),
         ("doc:libicu",), must=True),
    Mark("PCRE2", "BSD-3-Clause", (b"PCRE2 does not support",), said(rb"\x00(1\d\.\d+) \d{4}-\d\d-\d\d\x00"),
         ("doc:libpcre2-16-0",)),
    Mark("HarfBuzz", "MIT-Modern-Variant", (b"HB_SHAPER_LIST",), said(rb"\x00(1\d\.\d+\.\d+)\x00"),
         ("doc:libharfbuzz0b",)),
    Mark("FreeType", "FTL", (b"FREETYPE_PROPERTIES",), NO_VERSION, ("doc:libfreetype6",)),
    Mark("libpng", "libpng-2.0", (b"Libpng jmp_buf still allocated",), said(rb"\x00(1\.[67]\.\d+)\x00"),
         ("doc:libpng16-16",)),
    Mark("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", (b"libjpeg-turbo version ",),
         said(rb"libjpeg-turbo version (\d+\.\d+\.\d+)"), ("doc:libjpeg62-turbo",)),
    Mark("OpenSSL", "Apache-2.0", (b"OPENSSLDIR: ",), said(OPENSSL),
         ("common:Apache-2.0",), r"(?i)lib(?:ssl|crypto)[-.]", must=True),
    Mark("SQLite", "blessing", (b"SQLite format 3\0",),
         said(rb"(?<![\d.])(3\.\d{1,3}\.\d{1,3})\x00"), ("doc:libsqlite3-0",), must=True),
    Mark("zlib", "Zlib", (b"invalid distance too far back",),
         said(rb"(?:de|in)flate (\d+\.\d+(?:\.\d+)*) Copyright"), ("doc:zlib1g",)),
    Mark("bzip2", "bzip2-1.0.6", (b"bzip2/libbzip2: internal error",), said(rb"(1\.0\.\d), \d{1,2}-\w{3}-\d{4}"),
         ("doc:libbz2-1.0",)),
    Mark("Expat", "MIT", (b"\0expat_",), said(rb"\x00expat_(\d+\.\d+\.\d+)\x00"), ("doc:libexpat1",)),
    Mark("libmpdec", "BSD-2-Clause", (b"libmpdec: internal",), said(rb"\x00(2\.\d\.\d)\x00"), ("python",)),
    Mark("libffi", "MIT", (b"LIBFFI_TMPDIR",), NO_VERSION, ("doc:libffi8",), r"(?i)libffi[-.]"),
    Mark("libyaml", "MIT", (b"did not find expected node content",), said(rb"\x00(0\.[12]\.\d+)\x00"),
         ("doc:libyaml-0-2",)),
    Mark("OpenBLAS", "BSD-3-Clause", (b"OpenBLAS warning: ",), said(rb"OpenBLAS (\d+\.\d+\.\d+(?:\.\d+)*)"),
         ("wheel",)),
    Mark("GCC runtime libraries", "GPL-3.0-or-later WITH GCC-exception-3.1", (), NO_VERSION,
         ("common:GPL-3", "common:LGPL-2.1", "wheel"), r"lib(?:gfortran|quadmath|gcc_s|stdc\+\+|gomp)[-.]"),
    Mark("Rust standard library", "MIT OR Apache-2.0", (b"rustc version ", b"/rustc/", b"/rust/deps/rustc-demangle"),
         said(rb"rustc version (\d+\.\d+\.\d+)"), ("common:Apache-2.0",)),
    Mark("CPython", "PSF-2.0", (b"Python Software Foundation.\n",), python_version, ("python",), must=True),
    Mark("Microsoft Visual C++ runtime", "LicenseRef-Microsoft-Distributable-Code", (), NO_VERSION, ("python",),
         r"(?i)(?:vcruntime|msvcp|concrt|ucrtbase|api-ms-win-)[\w.-]*\.dll$"),
)  # fmt: skip


def marks_in(content: bytes, name: str) -> list[tuple[Mark, str]]:
    """Return each library that a binary holds, with the version that its bytes say, empty where they say none or two.

    What was searched once is known: the list of contents and the licences are made of the same files.
    """
    key = (hashlib.sha256(content).digest(), name)
    if key not in _known:
        _known[key] = list(_marks_in(content, name))
    return _known[key]


_known: dict[tuple[bytes, str], list[tuple[Mark, str]]] = {}


def _marks_in(content: bytes, name: str) -> Iterator[tuple[Mark, str]]:
    for mark in MARKS:
        if any(sign in content for sign in mark.signs) or re.match(mark.files, name):
            versions = mark.versions(content)
            yield mark, versions.pop() if len(versions) == 1 else ""


def build_id(content: bytes) -> str:
    """Return the identity that a linker gave an ELF file, which stripping leaves as it is; empty where there is none.

    It is the note named GNU of type 3: three numbers, the name, the identity.
    """
    found = content.startswith(b"\x7fELF") and re.search(rb"\x04\0\0\0([\x08-\x40])\0\0\0\x03\0\0\0GNU\0", content)
    return content[found.end() : found.end() + struct.unpack("B", found[1])[0]].hex() if found else ""


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A package of Debian's that a library in the bundle came from."""

    name: str
    version: str
    architecture: str


@cache
def system_folders() -> tuple[Path, ...]:
    """The folders in which Debian keeps libraries."""
    roots = [Path("/usr/lib"), Path("/lib")]
    return tuple(folder for root in roots for folder in (*sorted(root.glob("*-linux-gnu*")), root) if folder.is_dir())


def system_package(name: str, content: bytes) -> SystemPackage | None:
    """Return the package that a library was taken from: that of the file of this name with the same build id."""
    identity = build_id(content)
    if not identity or not shutil.which("dpkg-query"):
        return None
    for folder in system_folders():
        path = folder / name
        if path.is_file() and build_id(path.read_bytes()) == identity:
            return package_of(path)
    return None


def package_of(path: Path) -> SystemPackage:
    """Return the package that installed a file. Raises ReleaseError where none did."""
    for one in (path.resolve(), Path("/usr") / path.resolve().relative_to("/"), path):
        said = run("dpkg-query", "--search", str(one)) or run("dpkg-query", "--search", str(one).removeprefix("/usr"))
        if said:
            form = "${Package}\n${Version}\n${Architecture}\n"
            return SystemPackage(*run("dpkg-query", "-W", "-f", form, said.partition(": ")[0]).split("\n")[:3])
    raise ReleaseError(f"{path} is in the bundle, and no package of this system installed it: its licence is unknown.")


def run(*command: str) -> str:
    """Return what a command says; nothing where it fails."""
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout
