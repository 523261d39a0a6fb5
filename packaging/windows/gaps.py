"""Fills what Wine lacks and the program needs: a library for Qt, complex numbers for numpy, an error number for Python.

For runs under Wine only: `SHIMS` are in nothing that is shipped.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from windows import place

COMPILER = "x86_64-w64-mingw32-gcc"
MATH, OURS = b"api-ms-win-crt-math-l1-1-0.dll", b"npy-ms-win-crt-math-l1-1-0.dll"
"""The library that numpy asks for, and ours in its place: of the same length, so that the name fits."""
COMPLEX = re.compile(r"(ccosh?|csinh?|ctanh?|cexp|cabs|carg|creal|cimag|cpow)[fl]?")
ORIGINALS = "as-made"
"""Where the files lie that are changed here, as their makers made them."""
SHIMS = ("icuuc.dll", OURS.decode())


def fill(folder: Path, site: Path) -> None:
    """Put the stand-ins beside the interpreter. Raises SetupError."""
    build = (COMPILER, "-O1", "-shared", "-s", "-static", "-static-libgcc")
    place.must(*build, "-o", folder / SHIMS[0], place.GAPS / "icuuc.c")
    with tempfile.TemporaryDirectory() as scratch:
        exports = Path(scratch) / "math.def"
        exports.write_text(definitions(rename_math(site / "numpy")), "utf-8")
        place.must(*build, "-o", folder / SHIMS[1], place.GAPS / "complex.c", exports)
    (site / "sitecustomize.py").write_bytes((place.GAPS / "sitecustomize.py").read_bytes())


def rename_math(package: Path) -> set[str]:
    """Have a package's libraries ask for our library of mathematics; return the functions that they want of it."""
    wanted: set[str] = set()
    for file in package.rglob("*.pyd"):
        content = file.read_bytes()
        if MATH in content:
            wanted |= imported(file, MATH.decode())
            kept = package.parents[2] / ORIGINALS / file.relative_to(package.parent)
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(content)
            file.write_bytes(content.replace(MATH, OURS))
    return wanted


def originals(folder: Path) -> list[Path]:
    """Return the files that were changed, as their makers made them."""
    return sorted((folder / ORIGINALS).rglob("*.pyd"))


def imported(file: Path, library: str) -> set[str]:
    """Return the functions that a library of Windows takes from another."""
    for part in place.must("x86_64-w64-mingw32-objdump", "-p", file).split("DLL Name: ")[1:]:
        if part.splitlines()[0] == library:
            return set(re.findall(r"^\s+[0-9a-f]+\s+\d+\s+(\w+)\s*$", part.split("\n\n")[0], re.MULTILINE))
    return set()


def definitions(functions: set[str]) -> str:
    """Return what the linker makes the library of: our complex functions, and the system's own for all others."""
    lines = (f"  {one} = {f'our_{one}' if COMPLEX.fullmatch(one) else f'ucrtbase.{one}'}" for one in sorted(functions))
    return "\n".join([f'LIBRARY "{OURS.decode()}"', "EXPORTS", *lines, ""])
