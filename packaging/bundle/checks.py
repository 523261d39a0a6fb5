"""Checks a bundle before anybody gets it: what is in it, what it needs, how large it is, and that it runs the tour."""

from __future__ import annotations

import difflib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import machine
from bundle import contents, place

PICTURES = 80
"""A tour through everything writes at least so many."""
TOUR_S = 600.0
WORD = 8
"""A shorter name of a computer stands by chance in any large file."""
COMPILERS = {".py", ".pyx", ".pxd", ".h", ".c", ".a", ".la", ".pyi", ".pdb", ".lib", ".ts"}
"""What only those need who build something."""


def check() -> None:
    """Raise SetupError with everything that is wrong with the bundle in dist/."""
    if found := list(findings(place.BUNDLE)):
        raise machine.SetupError("\n".join(found))


def accept() -> None:
    """Take what is in the bundle now as what shall be in it: the difference is then in the commit."""
    said = "".join(f"{line}\n" for line in contents.lines(place.BUNDLE))
    contents.kept().write_text(said, "utf-8", newline="\n")


def findings(bundle: Path) -> Iterator[str]:
    """Yield what is wrong with a bundle."""
    kept = contents.kept().read_text("utf-8").splitlines() if contents.kept().is_file() else []
    for line in difflib.ndiff(kept, contents.lines(bundle)):
        if line[0] in "+-":
            yield f"{'new' if line[0] == '+' else 'gone'}: {line[2:]} ({contents.kept().name})"
    if (size := contents.size(bundle)) > contents.MOST_UNPACKED:
        yield f"{size / contents.MIB:.1f} MiB, {contents.MOST_UNPACKED // contents.MIB} at most"
    yield from (f"names the computer that built it: {line}" for line in contents.inside(bundle, *own_names())["named"])
    for file in bundle.rglob("*"):
        if file.suffix in COMPILERS or {"tests", "test"} & {*file.relative_to(bundle).parts}:
            yield f"nobody needs {file.relative_to(bundle)}"
    if place.system() == "linux":
        yield from contents.strange_paths(bundle)


def own_names() -> list[str]:
    """Return what would tell of the computer that builds: its folders and its name."""
    names = {str(place.ROOT), str(Path(tempfile.gettempdir()) / "pip-"), sys.base_prefix, socket.gethostname()}
    return sorted(name for name in names if len(name) >= WORD and name not in ("/usr/local", "localhost"))


def tour() -> None:
    """Have the bundle run the tour by itself, as on a computer that has nothing else. Raises SetupError."""
    program = place.BUNDLE / (f"{place.NAME}-cli.exe" if place.system() == "windows" else place.NAME)
    with tempfile.TemporaryDirectory() as empty:
        pictures = Path(empty) / "tour"
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "USERPROFILE") if name in os.environ}
        kept |= {"PATH": "/usr/bin:/bin", "HOME": empty, "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
        command = [program, "--demo", "--plan", "free", "--tour", pictures]
        done = subprocess.run(command, cwd=empty, env=kept, timeout=TOUR_S, check=False)
        made = len(list(pictures.glob("*.png")))
    if done.returncode or made < PICTURES:
        raise machine.SetupError(f"the tour ended with exit code {done.returncode} and {made} pictures")
    print(f"   the tour: {made} pictures")
