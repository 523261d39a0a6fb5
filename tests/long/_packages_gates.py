"""What can be said of the packages on this computer: lintian, the gates of the bundle, wheel and source archive."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import machine
from bundle import checks, folder, place, wheels
from tests.long._running import say

NEW = "file _internal/quite-new.txt"
PICTURES = 80
LANGUAGES = tuple((place.ROOT / "resources" / "translations").glob("*.ts"))
"""The languages, of which each is in the wheel as the program reads it."""


def said(*command: str | Path, **environment: str) -> str:
    """Run a command; what it says on both streams. Raises AssertionError where it fails."""
    env = {**os.environ, **environment}
    env.pop("PYTHONPATH", None)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}"
    return done.stdout


def lint(deb: Path) -> None:
    """Have the tools of Debian's and freedesktop's look at the package, its desktop entry and its description."""
    found = said("lintian", "--allow-root", "--fail-on", "error,warning", deb)
    assert not found, found
    unpacked = place.BUILD / "deb" / "root" / "usr" / "share"
    said("desktop-file-validate", unpacked / "applications" / f"{place.NAME}.desktop")
    said("appstreamcli", "validate", "--no-net", *(unpacked / "metainfo").glob("*.xml"))
    say("packages: lintian, desktop-file-validate and appstreamcli have nothing to say")


def same_twice() -> None:
    """Make the bundle twice: not a byte of any file differs."""
    sums: list[dict[Path, str]] = []
    for _ in range(2):
        building = (sys.executable, place.PACKAGING / "building.py", "wheel", "bundle")
        said(*building, SOURCE_DATE_EPOCH="1764000000")
        files = [file for file in place.BUNDLE.rglob("*") if file.is_file()]
        sums.append({file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files})
    assert sums[0] == sums[1], sorted(file for file in sums[0] if sums[0][file] != sums[1].get(file))
    say("packages: made twice, the bundle has the same bytes")


def gates_catch(scratch: Path) -> None:
    """Plant what must not be in a bundle: each gate names it."""
    copy = scratch / place.NAME
    shutil.copytree(place.BUNDLE, copy, symlinks=True)
    assert list(checks.findings(copy)) == []
    inside = copy / "_internal"
    (inside / "quite-new.txt").write_text(f"made in {place.ROOT}")
    (inside / "tests").mkdir()
    (inside / "tests" / "extra.pyx").touch()
    (inside / "libQt6Svg.so.6").unlink()
    library = next(folder.libraries(copy))
    said("patchelf", "--set-rpath", "/opt/builder/lib", library)
    with (inside / "large").open("wb") as large:
        large.truncate(100 << 20)
    found = "\n".join(checks.findings(copy))
    for wanted in (
        f"new: {NEW}",
        "new: file _internal/tests/extra.pyx",
        "gone: file _internal/libQt6Svg.so*",
        "names the computer that built it: _internal/quite-new.txt",
        "nobody needs _internal/tests/extra.pyx",
        f"{library.name} looks for libraries in /opt/builder/lib",
        "MiB, 190 at most",
    ):
        assert wanted in found, f"{wanted}\n{found}"
    shutil.rmtree(copy)
    say("packages: the gates name what is new, gone, too large, of the builder's or of nobody's use")


def inside(wheel: Path) -> list[tuple[str, int]]:
    """Return what is in a wheel: names and sums, without times."""
    with zipfile.ZipFile(wheel) as opened:
        return [(entry.filename, entry.CRC) for entry in opened.infolist()]


def wheels_work(scratch: Path) -> None:
    """Make the wheel from the source archive without a network; install it by pip, pipx and uv; each runs the tour."""
    unpacked = scratch / "source"
    unpacked.mkdir()
    said("tar", "-C", unpacked, "--strip-components=1", "-xf", wheels.sdist())
    out = scratch / "from-source"
    pip = (place.own_python(), "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", out)
    said("unshare", "-n", *pip, unpacked, SOURCE_DATE_EPOCH=str(place.epoch()))
    (again,) = out.glob("*.whl")
    assert inside(again) == inside(wheels.wheel()), "the wheel of the source archive is another one"
    tools = scratch / "tools"
    said(sys.executable, "-m", "venv", tools)
    said(machine.venv_program(tools, "python"), "-m", "pip", "install", "--quiet", "pipx", "uv")
    homes = {"PIPX_HOME": str(scratch / "pipx"), "PIPX_BIN_DIR": str(scratch / "pipx-bin")}
    homes |= {"UV_TOOL_DIR": str(scratch / "uv"), "UV_TOOL_BIN_DIR": str(scratch / "uv-bin")}
    own = ("--no-index", "--find-links", wheels.WHEELS)
    clean = scratch / "pip"
    said(sys.executable, "-m", "venv", clean)
    said(machine.venv_program(clean, "python"), "-m", "pip", "install", "--quiet", *own, again)
    arguments = f"--pip-args=--no-index --find-links={wheels.WHEELS}"
    said(machine.venv_program(tools, "pipx"), "install", arguments, again, **homes)
    said(machine.venv_program(tools, "uv"), "tool", "install", "--offline", *own, again, **homes)
    for program in (clean / "bin", scratch / "pipx-bin", scratch / "uv-bin"):
        pictures = scratch / "tour"
        said(program / place.NAME, "--demo", "--plan", "free", "--tour", pictures, QT_QPA_PLATFORM="offscreen")
        assert len(list(pictures.glob("*.png"))) >= PICTURES
    assert sum(name.endswith(".qm") for name, _ in inside(again)) == len(LANGUAGES), "a language is missing"
    say("packages: the wheel runs the tour, installed by pip, pipx, uv; the source archive makes it offline")
