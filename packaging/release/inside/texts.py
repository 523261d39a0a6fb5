"""Finds the texts of licences: in the packages themselves, in what Debian installs with its packages, in Python.

Where a system has no Debian, the texts are gathered on one first: `packaging/dev.py release texts FOLDER`.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

from release import ReleaseError
from release.inside.contents import Environment
from release.inside.native import MARKS
from release.version import ROOT

GATHERED = ROOT / "build" / "licence-texts"
OWN = Path(__file__).resolve().parent / "licence-texts"
SHARED = Path("/usr/share")
IN_PACKAGE = re.compile(
    r"\.(?:dist|egg)-info/(?:licenses/.+|[^/]*(?:licen[cs]e|copying|notice|authors)[^/]*)$", re.IGNORECASE
)
PYSIDE = ("common:LGPL-3", "common:GPL-3")
WITHOUT_TEXT = {"pyside6-essentials": PYSIDE, "pyside6-addons": PYSIDE, "shiboken6": PYSIDE}
"""Packages whose wheels bring no text, and where theirs is."""
COMMON = re.compile(rb"/usr/share/common-licenses/([\w.+-]*\w)")
EXPRESSIONS = {
    "MIT": "ours",
    "Apache-2.0": "common:Apache-2.0",
    "BSD-3-Clause": "common:BSD",
    "Zlib": "doc:zlib1g",
    "Unicode-3.0": "own:Unicode-3.0.txt",
    "Unicode-DFS-2016": "doc:libicu",
    "MPL-2.0": "common:MPL-2.0",
    "CC0-1.0": "common:CC0-1.0",
}
"""Where the text of a licence is for parts that bring none; of several that one may choose from, the first here."""


@dataclass(frozen=True)
class Texts:
    """Where texts are looked for: in folders that have `doc` and `common-licenses`, the first before the others."""

    environment: Environment
    places: tuple[Path, ...] = (GATHERED, SHARED)

    def find(self, source: str) -> list[tuple[str, bytes]]:
        """Return the texts, each with a name for its file, of one source such as `common:GPL-3`.

        Raises ReleaseError where there is none.
        """
        kind, _, name = source.partition(":")
        if kind == "package":
            return list(self.of_package(name))
        if kind == "doc":
            return [("copyright.txt", self.debian(name).read_bytes())]
        if kind == "common":
            return [(f"{name}.txt", self.first(f"common-licenses/{name}").read_bytes())]
        if kind == "python":
            return [("LICENSE.txt", self.python().read_bytes())]
        return [(name or "MIT.txt", (OWN / name if kind == "own" else ROOT / "LICENSE").read_bytes())]

    def of_package(self, name: str) -> Iterator[tuple[str, bytes]]:
        """Yield the texts that a Python package brings, or those that stand in for them."""
        one: Distribution = self.environment.packages[name]
        found = [file for file in one.files or () if IN_PACKAGE.search(str(file))]
        for file in found:
            inside = re.sub(r"^.*?-info/(?:licenses/)?", "", str(file))
            yield inside.replace("/", "-"), Path(str(file.locate())).read_bytes()
        if not found and name not in WITHOUT_TEXT:
            raise ReleaseError(
                f"{one.name} {one.version} brings no text of its licence. Find where it is, and say so in "
                "packaging/release/inside/texts.py (WITHOUT_TEXT)."
            )
        for source in () if found else WITHOUT_TEXT[name]:
            yield from self.find(source)

    def first(self, path: str) -> Path:
        """Return a file in the first place that has it. Raises ReleaseError where none has."""
        for place in self.places:
            if (place / path).is_file():
                return place / path
        raise self.missing(path)

    def debian(self, name: str) -> Path:
        """Return the copyright file of a Debian package, whichever number its name ends with in this release."""
        for place in self.places:
            folders = sorted((place / "doc").glob(f"{name.rstrip('0123456789-')}*"), key=lambda one: one.name != name)
            for folder in folders:
                if is_named(folder.name, name) and (folder / "copyright").is_file():
                    return folder / "copyright"
        raise self.missing(f"doc/{name}/copyright")

    def missing(self, path: str) -> ReleaseError:
        """Return the error for a text that is nowhere."""
        return ReleaseError(
            f"The licence text {path} is in none of {', '.join(map(str, self.places))}. On Debian, run: "
            f"python3 packaging/dev.py release texts {GATHERED.relative_to(ROOT)}"
        )

    def python(self) -> Path:
        """Return the licence of Python itself, of its own or of Debian's. Raises ReleaseError where it is nowhere."""
        folders = (
            *(place / "python" for place in self.places),
            Path(sysconfig.get_path("stdlib")),
            Path(sys.base_prefix),
        )
        for folder in folders:
            if (folder / "LICENSE.txt").is_file():
                return folder / "LICENSE.txt"
        return self.first(f"doc/libpython3.{sys.version_info.minor}-minimal/copyright")


def chosen(expression: str) -> list[str]:
    """Return the licences that an SPDX expression asks for, after choosing where it leaves a choice.

    Raises ReleaseError where one is in no table.
    """
    said = re.sub(r"\s+WITH\s+LLVM-exception", "", expression)  # the exception only gives more
    while inner := re.search(r"\(([^()]*)\)", said):
        said = said.replace(inner[0], " AND ".join(chosen(inner[1])))
    found: list[str] = []
    for part in said.split(" AND "):
        choice = {one.strip() for one in part.split(" OR ")}
        first = next((one for one in EXPRESSIONS if one in choice), None)
        if first is None:
            raise ReleaseError(
                f"No text is known for the licence {expression!r}: add it to packaging/release/inside/texts.py."
            )
        found.append(first)
    return found


def sources() -> Iterator[str]:
    """Yield every source of a text that lies on the system, whatever a bundle turns out to hold."""
    yield from sorted({source for mark in MARKS for source in mark.texts} | {*EXPRESSIONS.values(), *PYSIDE})


def gather(out: Path) -> list[str]:
    """Put into a folder every text that a bundle may need and a system without Debian lacks; return what was fetched.

    What is not installed is fetched from Debian's archive: only the copyright file is kept. Raises ReleaseError.
    """
    texts = Texts(Environment(ROOT), (out, SHARED))
    fetched: list[str] = []
    for kind, _, name in (source.partition(":") for source in sources()):
        if kind == "doc":
            try:
                found = texts.debian(name)
            except ReleaseError:
                found = fetch(name, out)
                fetched.append(found.parent.name)
            copy(found, out / "doc" / found.parent.name / "copyright")
        elif kind in ("common", "python"):
            (_, text), *_ = texts.find(f"{kind}:{name}")
            put(out / ("python" if kind == "python" else "common-licenses") / (name or "LICENSE.txt"), text)
    for one in sorted((out / "doc").rglob("copyright")):
        for name in {found.decode() for found in COMMON.findall(one.read_bytes())}:
            copy(texts.first(f"common-licenses/{name}"), out / "common-licenses" / name)
    return fetched


def is_named(package: str, name: str) -> bool:
    """Say whether a package of Debian's is the one of this name, with the numbers that a release gives it."""
    return bool(re.fullmatch(rf"(?:{re.escape(name)}|{re.escape(name.rstrip('0123456789-'))}[\d.-]*)(?:t64)?", package))


def fetch(name: str, out: Path) -> Path:
    """Fetch a package from Debian's archive and keep its copyright file. Raises ReleaseError."""
    asked = ["apt-cache", "pkgnames", name.rstrip("0123456789-")]
    known = subprocess.run(asked, check=False, capture_output=True, text=True).stdout.split()
    fit = sorted((one for one in known if is_named(one, name)), key=lambda one: (one != name, one))
    with tempfile.TemporaryDirectory() as folder:
        for package in fit:
            subprocess.run(["apt-get", "download", "-qq", package], check=False, cwd=folder, capture_output=True)
            for archive in Path(folder).glob("*.deb"):
                subprocess.run(["dpkg-deb", "--extract", str(archive), folder], check=True, capture_output=True)
                text = Path(folder, "usr/share/doc", package, "copyright")
                copy(text, out / "doc" / package / "copyright")
                return out / "doc" / package / "copyright"
    raise ReleaseError(f"apt-get could not download {name}, whose copyright file is needed. Is there a network?")


def copy(source: Path, target: Path) -> None:
    """Copy one text."""
    if source.resolve() != target.resolve():
        put(target, source.read_bytes())


def put(target: Path, text: bytes) -> None:
    """Write one text and the folders above it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text)
