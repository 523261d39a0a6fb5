"""The bundle: one folder with the program, Python and Qt in it, made by PyInstaller from the installed wheel."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import machine
from bundle import place, wheels
from release import owner

SPEC = place.PACKAGING / "bundle" / "petstore-desktop.spec"
STRIPPED = ("libpython*", "lib-dynload/*.so", "yaml/*.so")
"""What comes with symbols that only a debugger reads. Qt's own are left as their makers made them."""
AS_MADE = ("PySide6", "shiboken6")
"""Whose libraries find each other by a path relative to themselves; nobody else's needs one."""


def make() -> None:
    """Make the bundle in dist/."""
    python = wheels.environment()
    if place.system() == "linux":
        machine.ensure_packages("patchelf", "binutils")
    machine.say("Making the bundle")
    work = place.BUILD / "pyinstaller"
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(place.BUNDLE, ignore_errors=True)
    how = ("--noconfirm", "--clean", "--log-level", "WARN", "--workpath", work, "--distpath", place.DIST)
    # Not from the checkout: its package would be taken in the place of the installed one.
    settings = {"PYINSTALLER_CONFIG_DIR": str(work / "cache")}
    place.run(python, "-P", "-m", "PyInstaller", *how, SPEC, cwd=place.BUILD, quiet=True, **settings)
    if place.system() == "linux":
        _lean(place.BUNDLE)
    tell_where_updates_are(place.BUNDLE)
    settle(place.BUNDLE)


def tell_where_updates_are(bundle: Path, owner_file: Path = owner.PLACE) -> None:
    """Put the address and the key of the owner's file of updates into the bundle, if there is one."""
    told = owner.values(owner_file)
    address, key = told.get("updates_address", ""), told.get("minisign_public_key", "")
    if address == "none" or owner.is_placeholder(address) or owner.is_placeholder(key):
        return
    resources = next(bundle.rglob("petstore_desktop/_resources"))
    (resources / "updates.json").write_text(json.dumps({"address": address, "key": key}) + "\n", "utf-8")


def _lean(bundle: Path) -> None:
    """Take out symbols, and paths of the computer that built: who has such a path elsewhere could plant libraries."""
    inside = bundle / "_internal"
    found = sorted({file for pattern in STRIPPED for file in inside.rglob(pattern) if not file.is_symlink()})
    place.run("strip", "--strip-unneeded", *found)
    others = [file for file in libraries(bundle) if file.relative_to(inside).parts[0] not in AS_MADE]
    place.run("patchelf", "--remove-rpath", *others)


def libraries(bundle: Path) -> Iterator[Path]:
    """Yield the bundle's shared libraries in order."""
    for file in sorted((bundle / "_internal").rglob("*.so*")):
        if file.is_file() and not file.is_symlink():
            yield file


def settle(folder: Path) -> None:
    """Give every file the same time, and the rights that it needs and no more."""
    for path in (*sorted(folder.rglob("*")), folder):
        settle_one(path, runs=path.is_dir() or (path.parent == folder and os.access(path, os.X_OK)))


def settle_one(path: Path, *, runs: bool) -> None:
    """Give one file its time and its rights."""
    if not path.is_symlink():
        path.chmod(0o755 if runs else 0o644)
    os.utime(path, (place.epoch(), place.epoch()), follow_symlinks=False)
