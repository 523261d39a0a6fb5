"""The program as it is shipped for Windows: its bundle made there, judged, put into the installer, installed over an
older version, used and removed.

The installer is compiled for 64 bits here, for Debian's Wine has no more; that for Windows itself is of 32 bits.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Set
from dataclasses import dataclass
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
NAME = "Pet Store Desktop"
REMOVER = "uninstall.exe"
OLDER = {"NAME": "Pet Store", "VERSION": "0.0.9", "COMPRESSOR": "zlib"}
LEFT_OUT = "of-an-older-version.dll"
"""A file that an older version had and this one has not."""
NOT_OURS = Path("notes.txt")
"""A file that somebody laid beside the program."""
UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\petstore-desktop"
TOO_OLD = 3
"""The installer's exit code for a Windows that is too old."""
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


@dataclass(frozen=True, slots=True)
class Installed:
    """The program as its installer puts it on a computer, and what a person keeps there."""

    setting: Setting
    builder: Path

    @property
    def home(self) -> Path:
        """Where the program is installed."""
        return self.setting.windows.own_folder / "AppData" / "Local" / "Programs" / shipped.NAME

    @property
    def data(self) -> Path:
        """Where a person's own is kept."""
        return self.setting.windows.own_folder / "AppData" / "Local" / shipped.NAME

    def entries(self) -> list[Path]:
        """Return the start menu's entries of the program."""
        mark = installer.PROGRAM.encode("utf-16-le")
        found = self.setting.windows.own_folder.rglob("*.lnk")
        return [entry for entry in found if mark in entry.read_bytes()]

    def kept(self) -> dict[Path, str]:
        """Return the hash of each file that a person's program keeps."""
        return {path: digest(path) for path in self.data.rglob("*") if path.is_file()}

    def remover(self) -> str:
        """Return the line that removes it without a question: with its folder behind it, last and without quotes, it
        does not go on from a copy of itself."""
        where = self.setting.windows.named(self.home)
        return f'"{where}\\uninstall.exe" /S _?={where}'

    def lay_beside(self) -> None:
        """Put what Wine lacks beside the program; nothing of it is in what is shipped."""
        for name in gaps.SHIMS:
            shutil.copyfile(self.builder / name, self.home / name)
        for file in gaps.originals(self.builder):
            inside = file.relative_to(self.builder / gaps.ORIGINALS)
            if (self.home / "_internal" / inside).is_file():
                shutil.copyfile(self.builder / "Lib" / "site-packages" / inside, self.home / "_internal" / inside)

    def take_away(self) -> None:
        """Take what Wine lacks from beside it."""
        for name in gaps.SHIMS:
            (self.home / name).unlink(missing_ok=True)


def used(setting: Setting, builder: Path, bundle: Path, setup: Path, args: list[str]) -> Iterator[str]:
    """Install an older version, use it, bring it up to date, use that and remove it; yield what is not as it should
    be. `args` go to the program in its tour."""
    windows, there = setting.windows, Installed(setting, builder)
    for folder in (there.home, there.data):
        shutil.rmtree(folder, ignore_errors=True)
    for entry in there.entries():
        entry.unlink()
    newer = Path(shutil.copy(setup, windows.drive))
    older = Path(shutil.copy(older_setup(bundle), windows.drive / "older.exe"))
    yield from refuses_old_windows(there, newer)
    machine.say("windows: an older version, installed without a question")
    if code := windows.run(older, "/S"):
        yield f"the older version's installer ended with {code}"
        return
    yield from lies_right(bundle, there, {Path("_internal") / LEFT_OUT})
    yield from starts(there, OLDER["NAME"], OLDER["VERSION"], f'"{windows.named(newer)}" /S', there.remover())
    kept = there.kept()
    if not kept:
        yield "it kept nothing"
    machine.say("windows: this version, installed over it")
    (there.home / NOT_OURS).write_text("somebody's own", "utf-8")
    if code := windows.run(newer, "/S"):
        yield f"the installer ended with {code}"
        return
    yield from lies_right(bundle, there, {NOT_OURS})
    if kept != there.kept():
        yield "what a person keeps is not as it was after the newer version was installed"
    yield from starts(there, NAME, version.current())
    if (said := output(setting, there.home / CONSOLE, "--version")) != f"petstore-desktop {version.current()}":
        yield f"it says its version as {said!r}"
    if tour.run(setting, args, there.home / installer.PROGRAM):
        yield "its tour did not hold"
    yield from goes(there)


def older_setup(bundle: Path) -> Path:
    """Make the installer of an older version: another name, and a file that this version has no more."""
    extra = bundle / "_internal" / LEFT_OUT
    extra.write_text("of an older version", "utf-8")
    try:
        return installer.windows(bundle, place.MADE / "older", signed=False, options=[TARGET], others=OLDER)
    finally:
        extra.unlink()


def refuses_old_windows(there: Installed, setup: Path) -> Iterator[str]:
    """Yield what is done to a computer whose Windows is too old."""
    windows = there.setting.windows
    windows.run("winecfg", "-v", "win81")
    if (code := windows.run(setup, "/S")) != TOO_OLD or there.home.exists():
        yield f"on a Windows that is too old the installer ended with {code}"
    windows.run("winecfg", "-v", "win10")


def lies_right(bundle: Path, there: Installed, beside: Set[Path]) -> Iterator[str]:
    """Yield what of a bundle is not installed, and what is there and neither of it nor `beside` it."""
    there.take_away()
    wanted = {path.relative_to(bundle) for path in bundle.rglob("*") if path.is_file()} | {Path(REMOVER)} | beside
    found = {path.relative_to(there.home) for path in there.home.rglob("*") if path.is_file()}
    yield from (f"{path} is not installed" for path in sorted(wanted - found))
    yield from (f"{path} is installed and nobody's" for path in sorted(found - wanted))


def starts(there: Installed, name: str, number: str, *refused: str) -> Iterator[str]:
    """Yield what is not as it should be where an installed version is started from the start menu; while it is open,
    the lines are `refused`."""
    entries = there.entries()
    if [entry.stem for entry in entries] != [name]:
        yield f"the start menu has {[entry.stem for entry in entries]}, not {name}"
        return
    listed = output(there.setting, "reg", "query", UNINSTALL)
    yield from (f"Windows does not list {word} but {listed}" for word in (name, number) if word not in listed)
    there.lay_beside()
    before = {path: digest(path) for path in there.home.rglob("*") if path.is_file()}
    lines = (word for line in refused for word in ("--refused", line))
    # What Wine's locks lack is filled in for the Python of the tests, not for a program that brings its own: --once.
    if start.opened(there.setting, "--once", *lines, there.setting.windows.named(entries[0])):
        yield f"{name} {number} did not start from the start menu as it should, or was not left alone while it was open"
    if before != {path: digest(path) for path in there.home.rglob("*") if path.is_file()}:
        yield f"the files of {name} {number} are others after it was open"


def goes(there: Installed) -> Iterator[str]:
    """Remove it, and yield what is left of it, or is lost of a person's own."""
    there.take_away()
    kept = there.kept()
    run = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1]))"
    if code := there.setting.run("-c", run, there.remover()):
        yield f"what removes it ended with {code}"
    left = {path.name for path in there.home.iterdir()} - {REMOVER} if there.home.is_dir() else set[str]()
    yield from (f"{name} is left of it" for name in sorted(left - {NOT_OURS.name}))
    yield from (f"the start menu has it still: {entry.name}" for entry in there.entries())
    if NOT_OURS.name not in left or kept != there.kept():
        yield "what a person keeps is not as it was after it was removed"
    if there.setting.windows.run("reg", "query", UNINSTALL) == 0:
        yield "Windows lists it still"


def output(setting: Setting, *command: str | Path) -> str:
    """Return what a program there says."""
    with setting.windows.start(*command, cwd=setting.windows.drive, asks=True) as process:
        said, _ = process.communicate(timeout=300)
    if process.returncode:
        raise machine.SetupError(f"{command[0]} ended with {process.returncode}: {said}")
    return said.strip()
