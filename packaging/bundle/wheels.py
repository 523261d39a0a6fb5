"""The wheel and the source archive, and the environment that holds the wheel and nothing but what it needs."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

import machine
from bundle import place

WHEELS = place.BUILD / "wheels"
"""Every pinned package as a file: once they are here, nothing is asked of the network."""
VENV = place.BUILD / "venv"


def wheel() -> Path:
    """Return where the wheel lies once it is made."""
    return place.DIST / f"petstore_desktop-{place.version()}-py3-none-any.whl"


def sdist() -> Path:
    """Return where the source archive lies once it is made."""
    return place.DIST / f"petstore_desktop-{place.version()}.tar.gz"


def make() -> None:
    """Make the source archive from the checkout, and the wheel from the source archive."""
    for old in (*place.DIST.glob("petstore_desktop-*.whl"), *place.DIST.glob("petstore_desktop-*.tar.gz")):
        old.unlink()
    place.run(place.own_python(), "-m", "build", "--no-isolation", "--outdir", place.DIST, place.ROOT, quiet=True)


def fetch() -> None:
    """Download every package that the bundle needs or that makes it, by version and hash, unless all are here."""
    pins = [place.PINS / "runtime.txt", place.PINS / "ship.txt"]
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in pins)).hexdigest()
    stamp = WHEELS / "pins.txt"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    machine.say("Downloading the packages of the bundle")
    shutil.rmtree(WHEELS, ignore_errors=True)
    WHEELS.mkdir(parents=True)
    files = [word for file in pins for word in ("-r", file)]
    pip = (place.own_python(), "-m", "pip", "download", "--quiet", "--no-input", "--dest", WHEELS)
    place.run(*pip, "--require-hashes", "--only-binary", ":all:", *files, quiet=True)
    stamp.write_text(wanted, "utf-8")


def environment() -> Path:
    """Make an environment anew with the wheel, its pinned needs and PyInstaller, without a network; its interpreter."""
    fetch()
    place.run(_python(), "-m", "venv", "--clear", VENV, quiet=True)
    python = machine.venv_program(VENV, "python")
    pip = (python, "-m", "pip", "install", "--quiet", "--no-input", "--no-index", "--find-links", WHEELS)
    pins = ("-r", place.PINS / "runtime.txt", "-r", place.PINS / "ship.txt")
    place.run(*pip, "--no-compile", "--require-hashes", *pins, quiet=True)
    place.run(*pip, "--no-compile", "--no-deps", wheel(), quiet=True)
    return python


def site() -> Path:
    """Return where the packages of that environment lie."""
    return next(VENV.rglob("site-packages"))


def _python() -> str:
    """Return the Python that goes into the bundle: on Debian its own, which is kept secure, stripped, and names no
    folder of the computer that builds; elsewhere the one that runs this."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    of_debian = Path("/usr/bin") / name
    if not of_debian.exists():
        return sys.executable
    machine.ensure_packages(f"{name}-venv", f"lib{name}")
    return str(of_debian)
