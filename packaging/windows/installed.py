"""The program as it is shipped for Windows: its bundle made there, judged, put into the installer, installed and used.

What the installer does about running programs, older versions and files that are not its own is played by
`dev.py long installer`, with a program that does nothing.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import machine
from bundle import place as shipped
from bundle import wheels
from release import installer, pictures, version
from windows import gaps, interpreter, place, start, tour
from windows.setting import Setting

PINNED = (place.PINS / "runtime.txt", place.PINS / "ship.txt")
SPEC = Path("packaging") / "bundle" / "petstore-desktop.spec"
CONSOLE = "petstore-desktop-cli.exe"
OURS = frozenset({installer.PROGRAM, CONSOLE})
"""Made here; every other program and library is somebody else's, byte for byte."""
TARGET = "-XTarget amd64-unicode"
"""For Wine, which plays 64 bits alone; the installer for Windows itself is of 32."""
LIBRARIES = frozenset({".dll", ".exe", ".pyd"})


def run(setting: Setting, args: list[str]) -> int:
    """Make the bundle and the installer, install, start, use and remove the program; 1 where something is not as it
    should be. `args` go to the installed program in its tour."""
    builder = interpreter.interpreter("builder", PINNED)
    bundle = make_bundle(setting, builder)
    found = [f"{file} is no file of the pinned packages" for file in strangers(bundle, builder)]
    setup = installer.windows(bundle, place.MADE, signed=False, options=[TARGET])
    found += used(setting, builder, bundle, setup, args)
    for one in found:
        print(f"windows: {one}")
    print(f"windows: the installer: {setup.stat().st_size / 1e6:.0f} MB, {len(found)} findings", flush=True)
    return int(bool(found))


def make_bundle(setting: Setting, builder: Path) -> Path:
    """Have PyInstaller make the bundle there from the wheel, and return it as it is shipped, without what Wine needs.
    Raises SetupError."""
    machine.say("windows: the bundle")
    wheels.make()
    site = builder / "Lib" / "site-packages"
    pip = (shipped.own_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    place.must(*pip, "--no-deps", "--no-index", "--upgrade", "--target", site, wheels.wheel())
    pictures.write_ico(setting.checkout / SPEC.with_suffix(".ico"))
    work = setting.windows.drive / "build"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    how = ("--noconfirm", "--clean", "--log-level", "WARN", "--workpath", "work", "--distpath", "dist")
    spec = setting.windows.named(setting.checkout / SPEC)
    made = ("-P", "-m", "PyInstaller", *how, spec)
    fixed = {"PYINSTALLER_CONFIG_DIR": setting.windows.named(work / "cache"), "PYTHONHASHSEED": "0"}
    if code := setting.windows.run(builder / "python.exe", *made, cwd=work, **fixed):
        raise machine.SetupError(f"PyInstaller ended with {code}")
    bundle = place.MADE / shipped.NAME
    shutil.rmtree(bundle, ignore_errors=True)
    shutil.copytree(work / "dist" / shipped.NAME, bundle)
    for file in gaps.originals(builder):
        target = bundle / "_internal" / file.relative_to(builder / gaps.ORIGINALS)
        if target.is_file():
            shutil.copyfile(file, target)
    for file in bundle.rglob("*"):
        if file.name in gaps.SHIMS:
            file.unlink()
    return bundle


def strangers(bundle: Path, builder: Path) -> Iterator[Path]:
    """Yield the programs and libraries of a bundle that are none of the pinned packages' or Python's own, by hash."""
    site = builder / "Lib" / "site-packages"
    not_theirs = {site / file.relative_to(builder / gaps.ORIGINALS) for file in gaps.originals(builder)}
    not_theirs |= {builder / name for name in gaps.SHIMS}
    makers = (file for file in builder.rglob("*") if file.suffix in LIBRARIES)
    known = {digest(file) for file in makers if file not in not_theirs}
    for file in sorted(bundle.rglob("*")):
        if file.suffix in LIBRARIES and file.name not in OURS and digest(file) not in known:
            yield file.relative_to(bundle)


def digest(file: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def used(setting: Setting, builder: Path, bundle: Path, setup: Path, args: list[str]) -> Iterator[str]:
    """Install, start, play the tour, install over it and remove; yield what is not as it should be."""
    windows = setting.windows
    home = windows.own_folder / "AppData" / "Local" / "Programs" / shipped.NAME
    data = windows.own_folder / "AppData" / "Local" / shipped.NAME
    shutil.rmtree(home, ignore_errors=True)
    there = Path(shutil.copy(setup, windows.drive))
    machine.say("windows: installed from the installer, without a question")
    if code := windows.run(there, "/S"):
        yield f"the installer ended with {code}"
        return
    yield from lies_right(bundle, home)
    if not any(installer.PROGRAM.encode("utf-16-le") in entry.read_bytes() for entry in entries(setting)):
        yield "the start menu has no entry that starts it"
    lay_beside(builder, home)
    yield from works(setting, home, args)
    kept = state(data)
    if not kept:
        yield "it kept nothing"
    if code := windows.run(there, "/S"):
        yield f"installed over itself, the installer ended with {code}"
    yield from goes(setting, home)
    if kept != state(data):
        yield "what a person keeps is not as it was"


def lies_right(bundle: Path, home: Path) -> Iterator[str]:
    """Yield what of a bundle is not installed, and what is beside it."""
    files = {path.relative_to(bundle) for path in bundle.rglob("*") if path.is_file()} | {Path("uninstall.exe")}
    there = {path.relative_to(home) for path in home.rglob("*") if path.is_file()}
    yield from (f"{path} is not installed" for path in sorted(files - there))
    yield from (f"{path} is installed and nobody's" for path in sorted(there - files))


def works(setting: Setting, home: Path, args: list[str]) -> Iterator[str]:
    """Yield what the installed program does not do."""
    if (said := output(setting, home / CONSOLE, "--version")) != f"petstore-desktop {version.current()}":
        yield f"it says its version as {said!r}"
    if start.first(setting, home / installer.PROGRAM):
        yield "its first start is not as it should be"
    if tour.run(setting, args, home / installer.PROGRAM):
        yield "its tour did not hold"


def goes(setting: Setting, home: Path) -> Iterator[str]:
    """Remove it, and yield what is left."""
    for name in gaps.SHIMS:
        (home / name).unlink(missing_ok=True)
    where = setting.windows.named(home)
    # With its folder behind it, last and without quotes, it does not go on from a copy of itself.
    line = f'"{where}\\uninstall.exe" /S _?={where}'
    if code := setting.run("-c", "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1]))", line):
        yield f"the uninstaller ended with {code}"
    left = {path.name for path in home.iterdir()} - {"uninstall.exe"} if home.is_dir() else set[str]()
    yield from (f"{name} is left of it" for name in sorted(left))
    yield from (f"the start menu has it still: {entry.name}" for entry in entries(setting))


def entries(setting: Setting) -> list[Path]:
    """Return the start menu's entries of the program."""
    return list(setting.windows.own_folder.rglob("Pet Store.lnk"))


def state(data: Path) -> dict[Path, str]:
    """Return the hash of each file that a person's program keeps."""
    return {path: digest(path) for path in data.rglob("*") if path.is_file()}


def lay_beside(builder: Path, home: Path) -> None:
    """Put what Wine lacks beside an installed program; nothing of it is in what is shipped."""
    for name in gaps.SHIMS:
        shutil.copyfile(builder / name, home / name)
    for file in gaps.originals(builder):
        inside = file.relative_to(builder / gaps.ORIGINALS)
        if (home / "_internal" / inside).is_file():
            shutil.copyfile(builder / "Lib" / "site-packages" / inside, home / "_internal" / inside)


def output(setting: Setting, *command: str | Path) -> str:
    """Return what a program there says."""
    with setting.windows.start(*command, cwd=setting.windows.drive, asks=True) as process:
        said, _ = process.communicate(timeout=300)
    if process.returncode:
        raise machine.SetupError(f"{command[0]} ended with {process.returncode}: {said}")
    return said.strip()
