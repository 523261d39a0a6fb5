"""Makes what is installed on Windows and macOS from a bundle: an NSIS installer, and a disk image signed and notarised.

The first is compiled on any system that has makensis. The second runs on macOS only; nothing of it was run elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from release import ReleaseError, owner, version

FOLDER = Path(__file__).resolve().parent
NSI = FOLDER / "windows" / "installer.nsi"
DMG = FOLDER / "macos" / "make-dmg.sh"
ENTITLEMENTS = FOLDER / "macos" / "entitlements.plist"
PROGRAM = "petstore-desktop.exe"


def windows(
    bundle: Path,
    out: Path,
    signed: bool,
    place: Path = owner.PLACE,
    options: Sequence[str] = (),
    others: Mapping[str, str] | None = None,
) -> Path:
    """Compile the installer of a bundle for Windows into the folder `out`, and return it; signed where that is wanted.

    `options`: more of makensis's; `others`: definitions in place of this version's own. Raises ReleaseError where the
    bundle has no program, something is missing here, or makensis warns.
    """
    from release import pictures  # late: it needs Qt, which nothing else here does

    if not (bundle / PROGRAM).is_file():
        raise ReleaseError(f"{bundle} is no bundle for Windows: it has no {PROGRAM}.")
    makensis = program("makensis", "NSIS (on Debian: apt-get install nsis)")
    out.mkdir(parents=True, exist_ok=True)
    made = out / f"petstore-desktop-{version.current()}-windows-x64.exe"
    icon = out / "petstore-desktop.ico"
    pictures.write_ico(icon)
    defines = {"VERSION": version.current(), "OUT": made, "BUNDLE": bundle.resolve(), "ICON": icon.resolve()}
    defines |= {"LICENSE": version.ROOT / "LICENSE"} | ({"SIGN": sign_command(place)} if signed else {})
    defines |= others or {}
    said = [f"-D{name}={value}" for name, value in defines.items()]
    try:
        must([makensis, "-V2", "-WX", "-INPUTCHARSET", "UTF8", *options, *said, str(NSI)])
    except ReleaseError:
        made.unlink(missing_ok=True)  # one that could not be signed lies there already
        raise
    finally:
        icon.unlink()
    return made


def sign_command(place: Path = owner.PLACE) -> str:
    """Return the command that signs a file on Windows, but for the file. Raises ReleaseError for a placeholder."""
    name, server = owner.value("windows_certificate", place), owner.value("timestamp_server", place)
    return f'signtool sign /n "{name}" /fd sha256 /tr {server} /td sha256'


def macos(app: Path, out: Path, place: Path = owner.PLACE) -> Path:
    """Sign a program of macOS, put it into a disk image in the folder `out`, have that notarised, and return it.

    Raises ReleaseError where something is a placeholder or missing, or a step fails.
    """
    if not (app / "Contents" / "Info.plist").is_file():
        raise ReleaseError(f"{app} is no program of macOS: it has no Contents/Info.plist.")
    identity, profile = owner.value("apple_identity", place), owner.value("apple_notary_profile", place)
    for name in ("codesign", "hdiutil", "xcrun"):
        program(name, "macOS with Xcode's command line tools")
    out.mkdir(parents=True, exist_ok=True)
    made = out / f"petstore-desktop-{version.current()}-macos-{os.uname().machine}.dmg"
    must([str(DMG), str(app), str(made), identity, profile, str(ENTITLEMENTS)])
    return made


def program(name: str, needs: str) -> str:
    """Return where a program is. Raises ReleaseError where it is missing."""
    if found := shutil.which(name):
        return found
    raise ReleaseError(f"{name} is missing: it comes with {needs}.")


def must(command: list[str]) -> None:
    """Run a command. Raises ReleaseError, with what it said, where it fails."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{Path(command[0]).name} failed:\n{done.stdout}{done.stderr}")
