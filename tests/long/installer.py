"""The installer for Windows, run by Wine: it installs, replaces, waits for a running program, removes, and leaves alone
what is not its own. Wine is not Windows; what it shows is that the script does what it says.

The installer is compiled for 64 bits here, for Debian's Wine has no more; that for Windows itself is of 32 bits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from release import installer, version
from tests.long._running import NOT_RUN, run_from, say

WINE = ("/usr/lib/wine/wine64", "wine64", "wine")
TARGET = "-XTarget amd64-unicode"
SLEEPS_S = 20
SLEEPER = f"""Target amd64-unicode
Unicode true
OutFile "petstore-desktop.exe"
SilentInstall silent
RequestExecutionLevel user
Section
Sleep {SLEEPS_S * 1000}
SectionEnd
"""
UNINSTALL = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\petstore-desktop"
RUNS, TOO_OLD = 2, 3
"""Exit codes of the installer: the program is open; this Windows is too old."""


@dataclass
class Wine:
    """A computer with Windows, as Wine plays it."""

    program: str
    folder: Path

    @property
    def home(self) -> Path:
        """Where the program is installed."""
        (person,) = (one for one in (self.folder / "drive_c" / "users").iterdir() if one.name != "Public")
        return person / "AppData" / "Local" / "Programs" / "petstore-desktop"

    def start(self, *command: str | Path) -> subprocess.Popen[str]:
        """Start a program on it."""
        env = {**os.environ, "WINEPREFIX": str(self.folder), "WINEDEBUG": "-all", "WINEARCH": "win64"}
        words = ["xvfb-run", "-a", self.program, *map(str, command)]
        return subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def run(self, *command: str | Path) -> tuple[int, str]:
        """Run a program to its end; its exit code and what it said."""
        with self.start(*command) as process:
            said, _ = process.communicate(timeout=120)
        return process.returncode, said

    def remove(self) -> int:
        """Run the installed uninstaller, and wait for it; it cannot remove itself then."""
        where = "C:\\" + "\\".join(self.home.relative_to(self.folder / "drive_c").parts)
        return self.run(self.home / "uninstall.exe", "/S", f"_?={where}")[0]


def bundle_in(folder: Path) -> Path:
    """Make a small bundle whose program does nothing for a while."""
    bundle = folder / "bundle"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "licences").mkdir()
    for name in ("_internal/Qt6Core.dll", "licences/THIRD-PARTY.txt", "sbom.cdx.json"):
        (bundle / name).write_text(name, "utf-8")
    (bundle / "sleeper.nsi").write_text(SLEEPER, "utf-8")
    subprocess.run(["makensis", "-V1", "sleeper.nsi"], check=True, cwd=bundle)
    (bundle / "sleeper.nsi").unlink()
    shutil.copy(bundle / "petstore-desktop.exe", bundle / "petstore-desktop-cli.exe")
    return bundle


def findings(wine: Wine, folder: Path) -> list[str]:
    """Install, use and remove; what is not as it should be."""
    bundle, found = bundle_in(folder), list[str]()
    setup = installer.windows(bundle, folder / "out", signed=False, options=[TARGET])

    def expect(what: str, is_so: object) -> None:
        say(f"{'ok' if is_so else 'NOT SO'}: {what}")
        found.extend([] if is_so else [what])

    wine.run("winecfg", "-v", "win81")
    expect("an older Windows is refused", wine.run(setup, "/S")[0] == TOO_OLD and not wine.home.exists())
    wine.run("winecfg", "-v", "win10")
    expect("it installs", wine.run(setup, "/S")[0] == 0)
    files = {path.relative_to(bundle) for path in bundle.rglob("*") if path.is_file()} | {Path("uninstall.exe")}
    there = {path.relative_to(wine.home) for path in wine.home.rglob("*") if path.is_file()}
    expect("every file is there, and no other", there == files)
    expect("the start menu has it", list((wine.folder / "drive_c").rglob("Pet Store.lnk")))
    expect("Windows lists its version", version.current() in wine.run("reg", "query", UNINSTALL)[1])

    (wine.home / "_internal" / "of-an-older-version.dll").write_text("old", "utf-8")
    (wine.home / "notes.txt").write_text("somebody's own", "utf-8")
    expect("a newer one replaces it", wine.run(setup, "/S")[0] == 0)
    expect("files of the older one are gone", not (wine.home / "_internal" / "of-an-older-version.dll").exists())

    running = wine.start(wine.home / "petstore-desktop.exe")
    time.sleep(SLEEPS_S / 4)
    mark = wine.home / "_internal" / "mark.txt"
    mark.write_text("untouched", "utf-8")
    expect("while the program is open it is not replaced", wine.run(setup, "/S")[0] == RUNS and mark.exists())
    expect("while the program is open it is not removed", wine.remove() == RUNS and mark.exists())
    expect("the program ran all the while", running.poll() is None)
    running.communicate(timeout=60)

    expect("it is removed", wine.remove() == 0)
    left = {path.name for path in wine.home.iterdir()} - {"uninstall.exe"}
    expect("only somebody's own file is left", left == {"notes.txt"})
    expect("the start menu lost it", not list((wine.folder / "drive_c").rglob("Pet Store.lnk")))
    expect("Windows no longer lists it", wine.run("reg", "query", UNINSTALL)[0] != 0)
    return found


def main(argv: list[str]) -> int:
    """Return 0 if all is as it should be, NOT_RUN where Wine or makensis cannot be had."""
    run_from(argv, "installer")
    program = next((found for one in WINE if (found := shutil.which(one))), None)
    if program is None or not shutil.which("makensis") or not shutil.which("xvfb-run"):
        say("installer: not run: it needs makensis, xvfb-run and Wine (Debian: nsis, xvfb, xauth, wine64)")
        return NOT_RUN
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Wine may write on
        wine = Wine(program, Path(folder) / "wine")
        wine.run("wineboot", "-i")
        found = findings(wine, Path(folder))
        wine.run("wineboot", "-k")
        time.sleep(2)
    say(f"installer: {len(found)} findings")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
