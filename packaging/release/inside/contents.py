"""Finds out what is in a bundle: which package every file and module is of, and which libraries lie inside.

A file of which nothing is known fails the build: a list with gaps is none.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePosixPath
from typing import Any

from release import ReleaseError
from release.inside import native
from release.inside.frozen import Bundle, inner

PROGRAM = "petstore-desktop"
OWN = re.compile(
    r"petstore_desktop[/-]|petstore-desktop[^/]*$|licences/|sbom\.cdx\.json$|update\.json$|PkgInfo$|Info\.plist$"
    r"|Contents/(?:Info\.plist|PkgInfo|_CodeSignature/)|[^/]+\.icns$"
)
"""What the build itself puts there."""
STANDARD = re.compile(
    r"base_library\.zip$|(?:python3\.\d+/)?lib-dynload/|Python(?:3)?(?:$|\.framework/)|python3(?:\d+)?\.dll$"
)
OWN_MODULES = re.compile(r"petstore_desktop$|_sysconfigdata_|_?pyi(?:mod|boot|_)")
"""The program's, Python's under a name of the system's, and what PyInstaller starts with."""
EXTENSION = re.compile(r"\.(?:cpython-[\w-]+|abi3|cp\d+-\w+)?\.?(?:so|pyd)$")
BUILDER = "pyinstaller"


@dataclass(frozen=True, slots=True)
class Component:
    """One thing in the bundle that somebody else made."""

    name: str
    version: str
    """Empty where the bytes say none."""
    licence: str
    """An SPDX expression, or what its maker calls it."""
    purl: str
    files: tuple[str, ...] = ()
    """Those in machine code, or which it is found in."""
    texts: tuple[str, ...] = ()
    """Where the texts of its licence are (release/inside/texts.py)."""
    within: str = ""
    """The Python package that brought it; empty for one that stands by itself."""
    authors: str = ""
    said_by: str = "its files"

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return f"{self.name} {self.version}".strip()


@dataclass(frozen=True)
class Environment:
    """The folder of packages that a bundle was built from (site-packages)."""

    site: Path

    @cached_property
    def packages(self) -> dict[str, Distribution]:
        """Each package by its plain name."""
        found = {plain(one.name): one for one in distributions(path=[str(self.site)])}
        if not found:
            raise ReleaseError(f"There are no packages in {self.site}: name the folder that the bundle was built from.")
        return found

    @cached_property
    def owners(self) -> dict[str, str]:
        """The package of each file, by the lists that packages bring."""
        return {file: name for name, one in self.packages.items() for file in files_of(one)}


def files_of(package: Distribution) -> Iterator[str]:
    """The files that a package lists: as in its record, which makes no path of each (a hundred thousand of them)."""
    record = package.read_text("RECORD")
    if record is None:
        yield from (str(file) for file in package.files or ())
    else:
        yield from (row[0] for row in csv.reader(record.splitlines()) if row)


def plain(name: str) -> str:
    """Return a package's name in the one form that all spellings of it have."""
    return re.sub(r"[-_.]+", "-", name).lower()


def components(bundle: Bundle, environment: Environment) -> list[Component]:
    """Return everything that the bundle holds, in order. Raises ReleaseError where something is of nobody."""
    holds = Holdings(bundle, environment)
    holds.sort_files()
    holds.sort_modules()
    holds.refuse_unknown()
    found = [*holds.python_packages(), *holds.libraries(), *holds.system_libraries(), *holds.crates()]
    return sorted(set(found), key=lambda one: (one.name.lower(), one.version, one.within, one.files))


@dataclass
class Holdings:
    """What is found while the files and modules of a bundle are sorted by whose they are."""

    bundle: Bundle
    environment: Environment
    packages: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The binaries of each Python package, under its plain name."""
    marks: defaultdict[tuple[str, str, str], list[str]] = field(default_factory=lambda: defaultdict(list))
    """The files of each library, by name, version and the package that brings it."""
    system: defaultdict[native.SystemPackage, list[str]] = field(default_factory=lambda: defaultdict(list))
    unknown: list[str] = field(default_factory=list)

    def sort_files(self) -> None:
        """Find the owner of each file, and the libraries in each binary."""
        binaries = frozenset(self.bundle.binaries)
        for file in self.bundle.files:
            owner = self.owner(file)
            if owner:
                self.packages[owner] += [str(file)] if file in binaries else []
            if file in binaries:
                self.sort_binary(file, owner)
            elif owner is None:
                self.unknown.append(str(file))

    def owner(self, file: PurePosixPath) -> str | None:
        """Return the package that a file is of; empty for what is the program's or Python's own, None if unknown."""
        path = inner(file)
        if file in self.bundle.launchers:
            return BUILDER
        if path in self.environment.owners:
            return self.environment.owners[path]
        module = EXTENSION.sub("", path)
        return "" if OWN.search(path) or STANDARD.match(path) or module in sys.stdlib_module_names else None

    def sort_binary(self, file: PurePosixPath, owner: str | None) -> None:
        """Note the libraries that a binary holds; one of no package must be such a library or the system's."""
        content = self.bundle.read(file)
        marks = native.marks_in(content, file.name)
        package = native.system_package(file.name, content) if owner is None else None
        for mark, version in marks:
            if version or not package:
                self.marks[mark.name, version, owner or ""].append(str(file))
        if package:
            self.system[package].append(str(file))
        elif owner is None and not marks:
            self.unknown.append(str(file))

    def sort_modules(self) -> None:
        """Find the package of each module that lies inside an executable."""
        for module in self.bundle.modules:
            top, path = module.partition(".")[0], module.replace(".", "/")
            names = (f"{path}.py", f"{path}/__init__.py", f"{path}.pyi")
            owner = next((self.environment.owners[one] for one in names if one in self.environment.owners), None)
            if owner:
                self.packages[owner] += []
            elif not (top in sys.stdlib_module_names or OWN_MODULES.match(top) or self.is_folder(path)):
                self.unknown.append(f"module {module}")

    def is_folder(self, path: str) -> bool:
        """Say whether a module is a folder that several packages share, which has no file of its own."""
        return any(file.startswith(f"{path}/") for file in self.environment.owners)

    def refuse_unknown(self) -> None:
        """Raise ReleaseError if there is a file or module of which nothing is known."""
        if self.unknown:
            first = ", ".join(sorted(self.unknown)[:12])
            raise ReleaseError(
                f"{len(self.unknown)} files or modules of the bundle belong to nothing known: {first}. Leave them out "
                "of the bundle, or add how they are told to packaging/release/inside/native.py."
            )

    def python_packages(self) -> Iterator[Component]:
        """Yield the Python packages."""
        for name, files in self.packages.items():
            if name == PROGRAM:
                continue
            one = self.environment.packages.get(name)
            if one is None:
                raise ReleaseError(f"{name} is not among the packages of {self.environment.site}.")
            yield Component(
                one.name,
                one.version,
                licence_of(one),
                f"pkg:pypi/{name}@{one.version}",
                tuple(files),
                (f"package:{name}",),
            )

    def libraries(self) -> Iterator[Component]:
        """Yield the libraries found by their marks: once for each version and each package that brings them."""
        by_name = {mark.name: mark for mark in native.MARKS}
        for (name, brought), versions in self.versions().items():
            mark = by_name[name]
            known = sorted(version for version in versions if version)
            if mark.must and not known:
                raise ReleaseError(f"The version of {name} cannot be read from {', '.join(versions[''][:3])}.")
            for version in known or [""]:
                files = tuple(versions[version] + (versions.get("", []) if len(known) == 1 and version else []))
                texts = (one.replace("wheel", f"package:{brought}") for one in mark.texts if brought or one != "wheel")
                at = f"@{version}" if version else ""
                purl = f"pkg:generic/{plain(name).replace(' ', '-').replace('+', '')}{at}"
                yield Component(name, version, mark.licence, purl, files, tuple(texts), brought)
        self.must_have_python()

    def versions(self) -> dict[tuple[str, str], dict[str, list[str]]]:
        """Return the files of each version, by the library's name and the package that brings it."""
        found: defaultdict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
        for (name, version, brought), files in self.marks.items():
            found[name, brought][version] = files
        return found

    def must_have_python(self) -> None:
        """Raise ReleaseError if there are Python's own modules and no Python."""
        standard = any(STANDARD.match(inner(file)) for file in self.bundle.files) or self.bundle.modules
        if standard and not any(name == "CPython" for name, _, _ in self.marks):
            raise ReleaseError("The bundle has modules of Python's own, and no library of Python was found in it.")

    def system_libraries(self) -> Iterator[Component]:
        """Yield the packages of Debian's that libraries were taken from."""
        for one, files in self.system.items():
            purl = f"pkg:deb/debian/{one.name}@{one.version.replace(':', '%3A')}?arch={one.architecture}"
            licence = "see its copyright file"
            yield Component(
                one.name, one.version, licence, purl, tuple(files), (f"doc:{one.name}",), said_by="its build id"
            )

    def crates(self) -> Iterator[Component]:
        """Yield what wheels with binaries list as their parts (PEP 770), but for tools of their build."""
        for name in sorted(self.packages):
            lists = self.environment.packages[name].files or () if self.packages[name] else ()
            for file in (one for one in lists if ".dist-info/sboms/" in str(one) and one.suffix == ".json"):
                content = json.loads(Path(str(file.locate())).read_text("utf-8"))
                for part in content.get("components", ()):
                    if part.get("scope") != "excluded" and not self.is_marked(part, name):
                        yield part_of(part, name)

    def is_marked(self, part: dict[str, Any], brought: str) -> bool:
        """Say whether a part is known by its mark already, with the version that its bytes say."""
        return any(
            plain(name) == plain(str(part["name"])) and version == part.get("version") and by == brought
            for name, version, by in self.marks
        )


def part_of(part: dict[str, Any], brought: str) -> Component:
    """Return one part of a wheel's own list."""
    said: Iterable[dict[str, Any]] = part.get("licenses", ())
    licences = [one.get("expression") or one["license"].get("id") or one["license"]["name"] for one in said]
    authors = str(part.get("author") or ", ".join(one["name"] for one in part.get("authors", ()) if "name" in one))
    return Component(
        str(part["name"]),
        str(part.get("version", "")),
        " AND ".join(f"({one})" if " OR " in one and len(licences) > 1 else one for one in licences),
        str(part.get("purl", "")).partition("?")[0],
        texts=("expression",),
        within=brought,
        authors=re.sub(r"\s*<[^>]*>", "", authors),
        said_by="the list in its wheel",
    )


def licence_of(one: Distribution) -> str:
    """Return what a package says its licence is: an expression where it has one, else a name. Raises ReleaseError."""
    about = one.metadata
    expression = about.get("License-Expression")
    short = (about.get("License") or "").strip()
    named = [line.rpartition(" :: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License :: ")]
    licence = expression or (short if short and "\n" not in short else "") or " AND ".join(named)
    if not licence:
        raise ReleaseError(f"{one.name} {one.version} does not say what its licence is.")
    return licence
