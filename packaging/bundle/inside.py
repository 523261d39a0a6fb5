"""Says what is in a bundle's archives of modules, as JSON: `inside.py BUNDLE WORD...`; PyInstaller's Python runs it.

`modules`: their names; `named`: where one of the words stands, in a module, in another archive, or in a file.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from PyInstaller.archive.readers import CArchiveReader


def pieces(bundle: Path) -> Iterator[tuple[str, bytes]]:
    """Yield everything in the bundle by name: modules unpacked, files as they are."""
    program = CArchiveReader(str(bundle / bundle.name))
    modules = program.open_embedded_archive("PYZ.pyz")
    yield from ((f"module {name}", modules.extract(name, raw=True) or b"") for name in modules.toc)
    yield from ((f"start {name}", program.extract(name)) for name in program.toc if name != "PYZ.pyz")
    with zipfile.ZipFile(bundle / "_internal" / "base_library.zip") as base:
        yield from ((f"module {name.removesuffix('.pyc')}", base.read(name)) for name in base.namelist())
    for file in sorted(bundle.rglob("*")):
        if file.is_file():
            yield str(file.relative_to(bundle)), file.read_bytes()


def main(argv: list[str]) -> int:
    """Print it."""
    words = [word.encode() for word in argv[1:]]
    modules: set[str] = set()
    named: list[str] = []
    for name, content in pieces(Path(argv[0])):
        if name.startswith("module "):
            modules.add(name.removeprefix("module ").replace("/", "."))
        named += [f"{name}: {word.decode()}" for word in words if word in content]
    print(json.dumps({"modules": sorted(modules), "named": named}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
