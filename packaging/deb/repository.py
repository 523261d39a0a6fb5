"""An apt repository with the packages of dist/, made and signed: `dev.py build repository` (apt-ftparchive, gpg).

It is what updates of the .deb come from: whoever packages serves build/repository below some address. The key is the
one that gpg has under PETSTORE_APT_KEY, in its own folder (GNUPGHOME).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import machine
from bundle import place
from deb import package

REPOSITORY = place.BUILD / "repository"
SUITE, COMPONENT = "stable", "main"
KEY = "PETSTORE_APT_KEY"


def make() -> None:
    """Make the repository anew. Raises SetupError without a package or without a key."""
    packages = sorted(place.DIST.glob(f"{place.NAME}_*.deb"))
    if not packages:
        raise machine.SetupError("there is no package yet: dev.py build deb")
    if not (key := os.environ.get(KEY)):
        raise machine.SetupError(f"{KEY} must say which key of gpg's signs the repository")
    machine.ensure_packages("apt-utils", "gnupg")
    shutil.rmtree(REPOSITORY, ignore_errors=True)
    fill(packages)
    sign(key)


def fill(packages: list[Path]) -> None:
    """Copy the packages into it, and write its lists."""
    pool = REPOSITORY / "pool"
    pool.mkdir(parents=True)
    for one in packages:
        shutil.copy2(one, pool)
    lists = REPOSITORY / "dists" / SUITE / COMPONENT / f"binary-{package.architecture()}"
    lists.mkdir(parents=True)
    (lists / "Packages").write_text(place.said_by("apt-ftparchive", "packages", "pool", cwd=REPOSITORY), "utf-8")
    place.run("gzip", "-9nk", lists / "Packages")
    about = {
        "Origin": "Pet Store Desktop", "Label": "Pet Store Desktop", "Suite": SUITE, "Codename": SUITE,
        "Components": COMPONENT, "Architectures": package.architecture(),
    }  # fmt: skip
    options = [word for name, value in about.items() for word in ("-o", f"APT::FTPArchive::Release::{name}={value}")]
    suite = REPOSITORY / "dists" / SUITE
    (suite / "Release").write_text(place.said_by("apt-ftparchive", *options, "release", ".", cwd=suite), "utf-8")


def sign(key: str) -> None:
    """Sign the lists, and lay the public key and the description of the repository beside them."""
    suite = REPOSITORY / "dists" / SUITE
    gpg = ("gpg", "--batch", "--yes", "--local-user", key)
    place.run(*gpg, "--clearsign", "--output", suite / "InRelease", suite / "Release", quiet=True)
    place.run(*gpg, "--armor", "--detach-sign", "--output", suite / "Release.gpg", suite / "Release", quiet=True)
    place.run("gpg", "--batch", "--export", "--output", REPOSITORY / f"{place.NAME}.gpg", key, quiet=True)
    source = f"""\
Types: deb
URIs: {place.HOMEPAGE}apt
Suites: {SUITE}
Components: {COMPONENT}
Signed-By: /usr/share/keyrings/{place.NAME}.gpg
"""
    (REPOSITORY / f"{place.NAME}.sources").write_text(source, "utf-8")
