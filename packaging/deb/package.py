"""The package for Debian and its kin: the bundle without the libraries that the system has and keeps secure."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import machine
from bundle import contents, folder, place
from deb import completion, manual

FILES = place.PACKAGING / "deb" / "files"
TOOLS = ("dpkg-dev", "librsvg2-bin", "xz-utils")
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
OPTIONAL = ("platformthemes/libqgtk3.so", "printsupport/libcupsprintersupport.so")
"""Plugins of Qt's that are skipped where their libraries are not there."""
ALSO = ("ca-certificates",)
RECOMMENDED = ("gnome-keyring | kwalletmanager", "fonts-noto-core", "fonts-noto-color-emoji", "xdg-utils")


def package() -> Path:
    """Return where the package lies once it is made."""
    return place.DIST / f"{place.NAME}_{debian_version()}_{architecture()}.deb"


def debian_version() -> str:
    """Return the version as dpkg knows it."""
    return f"{place.version()}-1"


def architecture() -> str:
    """Return what dpkg calls this kind of processor."""
    return place.said_by("dpkg", "--print-architecture").strip()


def make() -> None:
    """Make the package in dist/ from the bundle there."""
    machine.ensure_packages(*TOOLS)
    root = place.BUILD / "deb" / "root"
    shutil.rmtree(root, ignore_errors=True)
    own = root / "usr" / "lib" / place.NAME
    shutil.copytree(place.BUNDLE, own, symlinks=True, ignore=shutil.ignore_patterns("updates.json"))  # apt brings them
    for library in _of_the_system(own):
        library.unlink()
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / place.NAME).symlink_to(f"../lib/{place.NAME}/{place.NAME}")
    _share(root / "usr" / "share")
    _control(root, own)
    _settle(root)
    place.run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package(), quiet=True)
    if (size := contents.size(package())) > contents.MOST_PACKED:
        raise machine.SetupError(f"{package().name}: {size} bytes, {contents.MOST_PACKED} at most")


def _of_the_system(own: Path) -> Iterator[Path]:
    """Yield the bundle's copies of libraries for which Debian has a package: all at its top but Python's and links."""
    for file in sorted((own / "_internal").glob("lib*.so*")):
        if not file.is_symlink() and not file.name.startswith("libpython"):
            yield file


# ---------------------------------------------------------------- what the desktop and the terminal know it by


def _share(share: Path) -> None:
    """Fill usr/share: icons, desktop entry, description, manual page, completion, copyright and changelogs."""
    write(share / "applications" / f"{place.NAME}.desktop", filled(f"{place.NAME}.desktop"))
    write(share / "metainfo" / "io.github.petstore.petstore_desktop.metainfo.xml", filled(f"{place.NAME}.metainfo.xml"))
    icon = place.ROOT / "resources" / "icons" / "app.svg"
    icons = share / "icons" / "hicolor"
    write(icons / "scalable" / "apps" / f"{place.NAME}.svg", icon.read_bytes())
    for size in SIZES:
        png = icons / f"{size}x{size}" / "apps" / f"{place.NAME}.png"
        png.parent.mkdir(parents=True)
        place.run("rsvg-convert", "-w", str(size), "-h", str(size), icon, "-o", png)
    write(share / "man" / "man1" / f"{place.NAME}.1.gz", packed(manual.page(place.version(), place.epoch())))
    write(share / "bash-completion" / "completions" / place.NAME, completion.bash())
    write(share / "zsh" / "vendor-completions" / f"_{place.NAME}", completion.zsh())
    doc = share / "doc" / place.NAME
    write(doc / "copyright", filled("copyright"))
    write(doc / "changelog.gz", packed((place.ROOT / "CHANGELOG.md").read_text("utf-8")))
    write(doc / "changelog.Debian.gz", packed(_changelog()))
    write(share / "lintian" / "overrides" / place.NAME, filled("lintian-overrides"))


def _changelog() -> str:
    when = datetime.fromtimestamp(place.epoch(), UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    head = f"{place.NAME} ({debian_version()}) unstable; urgency=medium"
    return f"{head}\n\n  * What is new is in changelog.gz.\n\n -- {place.MAINTAINER}  {when}\n"


def filled(name: str, **more: str) -> str:
    """Return one of the package's own files with what is known only now."""
    day = datetime.fromtimestamp(place.epoch(), UTC).date().isoformat()
    known = {"VERSION": place.version(), "DATE": day, "HOMEPAGE": place.HOMEPAGE, "MAINTAINER": place.MAINTAINER}
    known |= more
    text = (FILES / name).read_text("utf-8")
    return re.sub(r"@([A-Z]+)@", lambda found: known[found[1]], text)


def packed(text: str) -> bytes:
    """Return a text as gzip has it, without a time."""
    return gzip.compress(text.encode(), 9, mtime=0)


def write(path: Path, content: str | bytes) -> None:
    """Write one file of the package."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


# ---------------------------------------------------------------- what dpkg knows it by


def _control(root: Path, own: Path) -> None:
    """Write DEBIAN/: what the package is and needs, and the sums of its files."""
    programs = [own / place.NAME, *folder.libraries(own)]
    optional = [file for file in programs if file.as_posix().endswith(OPTIONAL)]
    needed = [file for file in programs if file not in optional]
    depends = [*depending(own, needed), *ALSO]
    recommends = [name for name in depending(own, optional) if _name(name) not in {_name(one) for one in depends}]
    size = sum(-(-file.stat().st_size // 1024) for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    text = filled(
        "control",
        VERSION=debian_version(),
        ARCHITECTURE=architecture(),
        SIZE=str(size),
        DEPENDS=", ".join(depends),
        RECOMMENDS=", ".join([*RECOMMENDED, *recommends]),
    )
    write(root / "DEBIAN" / "control", text)
    files = sorted(file for file in (root / "usr").rglob("*") if file.is_file() and not file.is_symlink())
    sums = (f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(root)}\n" for file in files)
    write(root / "DEBIAN" / "md5sums", "".join(sums))


def _name(dependency: str) -> str:
    return dependency.partition(" ")[0]


def depending(own: Path, files: Iterable[Path]) -> list[str]:
    """Return the packages of Debian's that bring what these files ask for and the bundle does not hold."""
    work = place.BUILD / "deb" / "shlibs"
    write(work / "debian" / "control", f"Source: {place.NAME}\nPackage: {place.NAME}\nArchitecture: any\n")
    places = sorted({f"-l{file.parent}" for file in folder.libraries(own)})
    command = ("dpkg-shlibdeps", "--ignore-missing-info", f"-x{place.NAME}", *places, "-O", *files)
    said = place.said_by(*command, cwd=work)
    return [one.strip() for one in said.partition("=")[2].split(",") if one.strip()]


def _settle(root: Path) -> None:
    """Give every file the same time, and rights that fit a folder of the system's."""
    folder.settle(root / "usr" / "lib" / place.NAME)
    for path in sorted(root.rglob("*"), reverse=True):
        if place.NAME not in path.parts[: len(root.parts) + 3]:
            folder.settle_one(path, runs=path.is_dir())
    folder.settle_one(root, runs=True)
