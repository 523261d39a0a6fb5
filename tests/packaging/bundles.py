"""Folders like those that PyInstaller makes, from the files of the wheels that are installed here."""

from __future__ import annotations

import marshal
import os
import shutil
import struct
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))
WHOLE = ("apsw", "certifi", "cffi", "cryptography", "httpx", "pydantic-core", "PyYAML", "platformdirs")
QT = (
    *("PySide6/__init__.py", "PySide6/QtCore.abi3.so", "shiboken6/__init__.py", "shiboken6/Shiboken.abi3.so"),
    *("PySide6/Qt/lib/libQt6Core.so.6", "PySide6/Qt/lib/libQt6Gui.so.6"),
)
PACKED = (
    "petstore_desktop",
    "petstore_desktop.app",
    "json",
    "json.decoder",
    "h11",
    "h11._state",
    "anyio",
    "pyiboot01_bootstrap",
)
"""The modules inside the executable: the program's, Python's, and those of two packages that have no file beside it."""


def small_bundle(root: Path) -> Path:
    """Make such a folder, with the program as an executable that holds modules, and return it."""
    internal = root / "_internal"
    files = [str(file) for name in WHOLE for file in distribution(name).files or () if ".." not in file.parts]
    icu = [f"PySide6/Qt/lib/{path.name}" for path in (SITE / "PySide6/Qt/lib").glob("libicu*")]
    for file in {*files, *QT, *icu}:
        if (SITE / file).is_file() and "__pycache__" not in file:
            link(SITE / file, internal / file)
    python = Path(sys.base_prefix) / "lib" / f"libpython3.{sys.version_info.minor}.so.1.0"
    interpreter = python if python.is_file() else Path(sys.executable).resolve()
    link(interpreter, internal / f"libpython3.{sys.version_info.minor}.so.1.0")
    (internal / "base_library.zip").write_bytes(b"PK\5\6" + bytes(18))
    (root / "petstore-desktop").write_bytes(executable(PACKED))
    return root


def packages(bundle: Path) -> Path:
    """The folder of packages, with the one that makes executables, which the tests do without."""
    site = bundle.parent / "site"
    if not site.is_dir():
        site.mkdir()
        for one in SITE.iterdir():
            (site / one.name).symlink_to(one)
        about = site / "pyinstaller-6.0.0.dist-info"
        if not list(site.glob("pyinstaller-*.dist-info")):
            about.mkdir()
            (about / "METADATA").write_text(
                "Metadata-Version: 2.4\nName: pyinstaller\nVersion: 6.0.0\nLicense: GPLv2\n"
            )
            (about / "RECORD").write_text("pyinstaller-6.0.0.dist-info/licenses/COPYING.txt,,\n")
            (about / "licenses").mkdir()
            (about / "licenses" / "COPYING.txt").write_text("a licence with an exception")
    return site


def link(source: Path, target: Path) -> None:
    """Put a file there without a second copy of it, where the disk allows that."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copyfile(source, target)


def link_file(source: str, target: str) -> str:
    """The same, for `shutil.copytree`."""
    link(Path(source), Path(target))
    return target


def executable(modules: Iterable[str], begin: bytes = b"\x7fELF of a launcher") -> bytes:
    """Return a program as PyInstaller makes it: machine code, then an archive with an archive of modules in it."""
    table = marshal.dumps([(name, (0, 0, 0)) for name in modules])
    pyz = b"PYZ\0" + bytes(4) + struct.pack("!i", 12) + table
    name = b"PYZ.pyz\0"
    entry = struct.pack("!IIIIBc", 18 + len(name), 0, len(pyz), len(pyz), 0, b"z") + name
    length = len(pyz) + len(entry) + 88
    cookie = struct.pack(
        "!8sIIII64s", b"MEI\014\013\012\013\016", length, len(pyz), len(entry), 311, b"libpython3.11.so.1.0"
    )
    return begin + pyz + entry + cookie
