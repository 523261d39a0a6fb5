"""The bundle as one compressed file for systems of Linux without packages of Debian's kind."""

from __future__ import annotations

import lzma
import platform
import tarfile
from pathlib import Path

import machine
from bundle import contents, place


def archive() -> Path:
    """Return where the file lies once it is made."""
    return place.DIST / f"{place.NAME}-{place.version()}-linux-{platform.machine()}.tar.xz"


def make() -> None:
    """Pack the bundle with what installs it for one person."""
    parts = {
        place.NAME: place.BUNDLE,
        "install.sh": place.PACKAGING / "bundle" / "install.sh",
        f"{place.NAME}.desktop": place.PACKAGING / "deb" / "files" / f"{place.NAME}.desktop",
        f"{place.NAME}.svg": place.ROOT / "resources" / "icons" / "app.svg",
        "LICENSE": place.ROOT / "LICENSE",
    }
    top = f"{place.NAME}-{place.version()}"
    with lzma.open(archive(), "wb", preset=6) as stream, tarfile.open(fileobj=stream, mode="w") as packed:
        for name, source in sorted(parts.items()):
            packed.add(source, f"{top}/{name}", filter=_settled)
    if (size := contents.size(archive())) > contents.MOST_PACKED:
        raise machine.SetupError(f"{archive().name}: {size} bytes, {contents.MOST_PACKED} at most")


def _settled(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Take out who built it and when."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = place.epoch()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry
