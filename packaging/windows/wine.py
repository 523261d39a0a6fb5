"""Wine 10 in a folder of its own, as a computer with Windows 10 that programs are run on.

Debian 12 has Wine 8, which is too old for Qt 6.11, numpy and what is written in Rust. So Debian 13's is unpacked into a
folder that becomes the root of what runs there. Each run has its own processes and mounts: nothing of it outlasts it.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import machine
from windows import place

PACKAGES = ("wine64", "wine", "libwine")
RELEASE = "trixie"
WINE = "/usr/lib/wine/wine64"
PERSON = "Zoë Müller"
"""Whose computer it is: as many a person's, the path of the own folder holds a space and letters that are not ASCII."""
FONTS = Path("/usr/share/fonts/truetype")
"""Those of other kinds are none of Windows'."""
OVERRIDES = "mscoree,mshtml,winedbg.exe,winemenubuilder.exe=d"
"""What a program of ours never asks for: .NET, a browser, a debugger, and icons on the desktop outside."""
WRITTEN = "DejaVu Sans"
"""The font of titles, menus and messages in place of Segoe UI, which is not free. Without it Wine takes the first that
it finds, one with serifs. It is told by its full name, which is that of the family for few fonts."""
IN_ITS_FOLDER = ("dejavu", "*.ttf")
"""What lies in Windows' own folder of fonts: programs that ask no system for fonts look there."""
NINE_POINTS = struct.pack("<5l8B64s", -12, 0, 0, 0, 400, *[0] * 8, WRITTEN.encode("utf-16-le")).hex(",")
"""The same as the registry of Windows 10 holds it (LOGFONTW)."""
USED_FOR = ("CaptionFont", "SmCaptionFont", "MenuFont", "StatusFont", "MessageFont", "IconFont")
REGISTRY = "\n".join(
    (
        "Windows Registry Editor Version 5.00",
        r"[HKEY_CURRENT_USER\Control Panel\Desktop\WindowMetrics]",
        *(f'"{name}"=hex:{NINE_POINTS}' for name in USED_FOR),
        "",
    )
)
LISTED = r"[HKEY_LOCAL_MACHINE\Software\Microsoft\Windows NT\CurrentVersion\Fonts]"
"""Where Windows lists what lies in that folder. DirectWrite, by which Qt finds fonts, knows no others of these: without
it Qt took an emoji font for texts, and no figure was drawn."""
RUN = """
root=$1; folder=$2; shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$0" "$root$0"
mount --bind "$FONTS" "$root$FONTS"
exec chroot "$root" /usr/bin/env -i -C "$folder" "$@"
"""
INSIDE = 'code=0; "$WINELOADER" "$@" || code=$?; /usr/lib/wine/wineserver --kill || true; exit "$code"'
"""What is still open there is closed at the end, and the registry is written."""


@dataclass(frozen=True, slots=True)
class Windows:
    """A computer with Windows: Wine's files, the folder with its drive C:, and where a screen is."""

    root: Path
    prefix: Path
    display: str = ""

    @property
    def own_folder(self) -> Path:
        """The own folder of the person whose computer it is."""
        return self.drive / "users" / PERSON

    @property
    def drive(self) -> Path:
        """What drive C: is here."""
        return self.prefix / "drive_c"

    def start(self, *command: str | Path, cwd: Path, asks: bool = False, **more: str) -> subprocess.Popen[str]:
        """Start a program there, `more` in its environment. Its output is this process's own, unless it `asks`."""
        inside = {
            "HOME": "/root",
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": "/tmp",
            "DISPLAY": self.display,
            "WINEPREFIX": str(self.prefix),
            "WINELOADER": WINE,
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": OVERRIDES,
            **more,
        }
        alone = (
            "setpriv",
            "--pdeathsig",
            "KILL",
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--propagation",
            "private",
        )
        words = (*alone, "bash", "-ec", RUN, place.FOLDER, self.root, cwd)
        said = (f"{name}={value}" for name, value in inside.items())
        program = ("sh", "-c", INSIDE, "windows", *command)
        line = [*map(str, words), *said, *map(str, program)]
        pipe, env = subprocess.PIPE if asks else None, {**os.environ, "FONTS": str(FONTS)}
        told = {"stdin": pipe or subprocess.DEVNULL, "stdout": pipe, "encoding": "utf-8"}
        return subprocess.Popen(line, env=env, errors="replace", **told)  # Windows' own tools say it in a code page

    def run(self, *command: str | Path, cwd: Path | None = None, longest_s: float | None = None, **more: str) -> int:
        """Run a program there to its end, and return its exit code. Raises SetupError where it takes too long."""
        process = self.start(*command, cwd=cwd or self.drive, **more)
        try:
            return process.wait(longest_s)
        except subprocess.TimeoutExpired:
            raise machine.SetupError(f"this took longer than {longest_s:.0f} s: {command[0]}") from None
        finally:
            process.kill()
            process.wait()

    def named(self, path: Path) -> str:
        """Return what a path of drive C: is called there."""
        return "C:\\" + "\\".join(path.relative_to(self.drive).parts)


def computer() -> Windows:
    """Return a computer with Windows 10 on which nothing is installed; made once for each list of packages."""
    root = place.made("wine", "\n".join((RELEASE, PERSON, *PACKAGES)).encode(), install)
    made_of = f"{root} {REGISTRY} {LISTED} {IN_ITS_FOLDER}".encode()
    prefix = place.made("prefix", made_of, lambda folder: set_up(Windows(root, folder)))
    return Windows(root, prefix)


def install(folder: Path) -> None:
    """Install Wine and what it needs into a folder. Raises SetupError."""
    machine.say("windows: Wine, in a folder of its own")
    asked = place.must("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages")
    sites = [site for site in asked.splitlines() if site.endswith("/debian")]
    if not sites:
        raise machine.SetupError("apt-get knows no mirror of Debian")
    how = ("--variant=apt", '--aptopt=APT::Install-Recommends "false"', "--dpkgopt=force-unsafe-io")
    place.must("mmdebstrap", "--quiet", *how, f"--include={','.join(PACKAGES)}", RELEASE, folder, sites[0])
    for path in (FONTS, place.FOLDER):
        (folder / path.relative_to("/")).mkdir(parents=True, exist_ok=True)
    (folder / "etc" / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n", "utf-8")
    (folder / "etc" / "passwd").write_text(f"{PERSON}:x:0:0::/root:/bin/sh\n", "utf-8")


def set_up(windows: Windows) -> None:
    """Make the folder of a computer with Windows 10. Raises SetupError."""
    machine.say("windows: a computer with Windows 10")
    windows.prefix.mkdir()
    folder, files = IN_ITS_FOLDER
    fonts = sorted((FONTS / folder).glob(files))
    listed = (LISTED, *(f'"{font.stem} (TrueType)"="{font.name}"' for font in fonts), "")
    (windows.prefix / "fonts.reg").write_text("\n".join((REGISTRY, *listed)), "utf-8")
    for command in (("wineboot", "--init"), ("winecfg", "-v", "win10"), ("regedit", "/S", "fonts.reg")):
        if code := windows.run(*command, cwd=windows.prefix, longest_s=place.LONGEST_S):
            raise machine.SetupError(f"{' '.join(command)} failed with exit code {code}")
    for font in fonts:
        shutil.copyfile(font, windows.drive / "windows" / "Fonts" / font.name)
