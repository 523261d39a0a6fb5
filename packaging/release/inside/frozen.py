"""Reads which Python modules PyInstaller packed into an executable, and which files lie beside it."""

from __future__ import annotations

import marshal
import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from release import ReleaseError

COOKIE = b"MEI\014\013\012\013\016"
TRAILER = struct.Struct("!8sIIII64s")
"""Magic, length of the archive, place and length of its table, version of Python, name of its library."""
ENTRY = struct.Struct("!IIIIBc")
"""Length of this entry, place, length packed, length unpacked, packed or not, kind; the name follows."""
MODULES = b"z"
MAGIC = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How programs and libraries begin: on Linux, on Windows, and four ways on macOS."""
PLACES = re.compile(
    r"^(?:[^/]+\.app/)?(?:Contents/(?:Frameworks|Resources|MacOS)/|_internal/)?(?:lib/python3\.\d+/site-packages/)?"
)


@dataclass(frozen=True)
class Bundle:
    """A folder that is shipped: PyInstaller's, or one with packages as pip unpacks them."""

    root: Path

    def __post_init__(self) -> None:
        if not self.root.is_dir():
            raise ReleaseError(f"There is no bundle folder {self.root}.")

    @cached_property
    def files(self) -> tuple[PurePosixPath, ...]:
        """Every file, in order; links are left out, for what they lead to is a file of the bundle too."""
        found = (path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())
        return tuple(sorted(PurePosixPath(path.relative_to(self.root).as_posix()) for path in found))

    def read(self, file: PurePosixPath) -> bytes:
        """Return what a file holds."""
        return (self.root / file).read_bytes()

    @cached_property
    def binaries(self) -> tuple[PurePosixPath, ...]:
        """The programs and libraries in machine code."""
        return tuple(file for file in self.files if is_binary(self.root / file))

    @cached_property
    def launchers(self) -> dict[PurePosixPath, frozenset[str]]:
        """The executables that hold Python modules, with the modules' names."""
        found = {file: packed_modules(self.read(file)) for file in self.binaries if ".so" not in file.name}
        return {file: modules for file, modules in found.items() if modules is not None}

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names of the Python modules inside executables and archives."""
        packed = (one for modules in self.launchers.values() for one in modules)
        zipped = (one for file in self.files if file.suffix == ".zip" for one in zipped_modules(self.root / file))
        return frozenset((*packed, *zipped))


def is_binary(path: Path) -> bool:
    """Say whether a file is a program or library of Linux, Windows or macOS."""
    with path.open("rb") as file:
        return file.read(4).startswith(MAGIC)


def inner(file: PurePosixPath) -> str:
    """Return a file's path below the folder where packages lie, as the packages' own lists have it."""
    return PLACES.sub("", str(file)).replace("__dot__", ".")


def packed_modules(content: bytes) -> frozenset[str] | None:
    """Return the modules that an executable of PyInstaller's holds; None where it is none of those."""
    at = content.rfind(COOKIE)
    if at < 0 or at + TRAILER.size > len(content):
        return None
    _, length, table, table_length, *_ = TRAILER.unpack_from(content, at)
    begin = at + TRAILER.size - length
    return frozenset(
        name
        for where, kind in entries(content[begin + table : begin + table + table_length])
        if kind == MODULES
        for name in names_in(content, begin + where)
    )


def entries(table: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield place and kind of each entry of an archive's table."""
    at = 0
    while at < len(table):
        length, where, _, _, _, kind = ENTRY.unpack_from(table, at)
        if length < ENTRY.size:
            raise ReleaseError("The table of packed modules cannot be read: it may be of another PyInstaller.")
        yield where, kind
        at += length


def names_in(content: bytes, begin: int) -> Iterator[str]:
    """Yield the modules' names of the archive of modules that begins here: PYZ, magic of Python, place of its table."""
    if content[begin : begin + 4] != b"PYZ\0":
        raise ReleaseError("The packed modules cannot be read: they may be of another PyInstaller.")
    (table,) = struct.unpack_from("!i", content, begin + 8)
    try:
        found = marshal.loads(content[begin + table :])
    except (ValueError, EOFError, TypeError):
        raise ReleaseError("The packed modules cannot be read: they may be of another Python than this.") from None
    yield from (name for name, _ in found)


def zipped_modules(path: Path) -> Iterator[str]:
    """Yield the modules' names of a zip file, such as the one that PyInstaller puts Python's first modules into."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith((".pyc", ".py")):
                yield name.rpartition(".")[0].replace("/", ".").removesuffix(".__init__")
