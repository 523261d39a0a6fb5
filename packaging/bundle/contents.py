"""What is in a bundle and what it needs of a computer, as lines that can be compared with those of the last one.

Kept in packaging/bundle/contents-SYSTEM.txt: a file, library, package or need that is new, or gone, is seen before
anybody gets it, and taken on purpose: `dev.py build accept`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import machine
from bundle import folder, place, wheels

MIB = 1 << 20
MOST_UNPACKED, MOST_PACKED = 190 * MIB, 62 * MIB
"""How large a bundle may be, and what is packed from one."""
_CHANGES = re.compile(r"-[\d.]+(\.post\d+)?(?=\.dist-info)|(?<=-)[0-9a-f]{8}(?=[.-])|(?<=\.so)\.[\d.]+$")
"""What differs from one version of a package to the next in the name of a file."""
_VERSION = re.compile(r"Name: (GLIBC|GLIBCXX|CXXABI)_([\d.]+)")


def kept() -> Path:
    """Return the file that has the lines of this system's last bundle."""
    return place.PACKAGING / "bundle" / f"contents-{place.system()}.txt"


def lines(bundle: Path) -> list[str]:
    """Return what is in the bundle, one line for each thing."""
    found = {*_files(bundle), *_modules(bundle)}
    if place.system() == "linux":
        found |= set(_needs(bundle))
    return sorted(found)


def _files(bundle: Path) -> Iterator[str]:
    """Yield its files, those of our own resources and the licences by kind."""
    for file in sorted(bundle.rglob("*")):
        if file.is_symlink() or file.is_file():
            name = file.relative_to(bundle)
            by_kind = "_resources" in name.parts or name.parts[0] == "licences"
            yield f"file {name.parent / f'*{name.suffix}' if by_kind else _CHANGES.sub('*', name.as_posix())}"


def _modules(bundle: Path) -> Iterator[str]:
    """Yield the packages of Python's in its archives, of which Python's own are one line."""
    names = {name.partition(".")[0] for name in inside(bundle)["modules"]}
    yield from (f"module {name}" for name in names - sys.stdlib_module_names if not name.startswith("_sysconfigdata"))


def _needs(bundle: Path) -> Iterator[str]:
    """Yield the libraries that it asks the computer for, and the newest versions of the C and C++ libraries."""
    here = {file.name for file in bundle.rglob("*.so*")}
    newest: dict[str, tuple[int, ...]] = {}
    for file in (bundle / bundle.name, *folder.libraries(bundle)):
        said = _readelf(file)
        yield from (f"needs {name}" for name in re.findall(r"\(NEEDED\).*\[(.*?)\]", said) if name not in here)
        for kind, version in _VERSION.findall(said):
            newest[kind] = max(newest.get(kind, ()), tuple(map(int, version.split("."))))
    yield from (f"needs {kind} {'.'.join(map(str, version))}" for kind, version in newest.items())


def strange_paths(bundle: Path) -> Iterator[str]:
    """Yield each library that looks for others in a folder which is not the bundle's."""
    for file in folder.libraries(bundle):
        for path in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*?)\]", _readelf(file)):
            if not all(part.startswith("$ORIGIN") for part in path.split(":")):
                yield f"{file.relative_to(bundle)} looks for libraries in {path}"


def _readelf(file: Path) -> str:
    return place.said_by("readelf", "-dVW", file)


def inside(bundle: Path, *words: str) -> dict[str, list[str]]:
    """Return the `modules` of a bundle, and where words are `named` in it."""
    python = machine.venv_program(wheels.VENV, "python")
    script = place.PACKAGING / "bundle" / "inside.py"
    return json.loads(place.said_by(python, "-P", script, bundle, *words))


def size(path: Path) -> int:
    """Return how many bytes a file, or all files of a folder, have."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file() and not file.is_symlink()]
    return sum(file.stat().st_size for file in files)
