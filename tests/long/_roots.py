"""A Debian of its own in a folder: made anew, without Python, and entered with mounts that end with the command."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

SUITES = ("bookworm", "trixie")
"""Debian 12 and 13."""
TOOLS = (
    "mmdebstrap",
    "unshare",
    "dpkg-deb",
    "lintian",
    "desktop-file-validate",
    "appstreamcli",
    "apt-ftparchive",
    "gpg",
)
COMMAND_S = 900.0
HOME = "/srv/home"
"""Of the person in a root; what is brought into one lies in /srv."""
PASSED_ON = ("http_proxy", "https_proxy", "no_proxy")
ENTER = """
set -eu
root=$1; shift
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for one in null zero random urandom tty full; do touch "$root/dev/$one"; mount --bind "/dev/$one" "$root/dev/$one"; done
mkdir -p "$root/dev/shm"; mount -t tmpfs tmpfs "$root/dev/shm"
ln -sf /proc/self/fd "$root/dev/fd"
exec chroot "$root" "$@"
"""
NOT_OF_THE_PACKAGE = (
    "var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "etc/ld.so.cache",
    "srv", "tmp", "root", "dev", "proc", "run",
)  # fmt: skip
"""What dpkg and apt keep about everything that was ever installed, and what is nobody's."""


class Root:
    """One root."""

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.path = suite, folder / suite
        made = folder / f"{suite}.tar"
        if not made.is_file():
            made.parent.mkdir(parents=True, exist_ok=True)
            half = made.with_suffix(".half.tar")
            chosen = ("--quiet", "--variant=apt", "--include=ca-certificates", "--format=tar")
            subprocess.run(["mmdebstrap", *chosen, suite, half], check=True, stdin=subprocess.DEVNULL)
            half.rename(made)
        self.remove()
        self.path.mkdir()
        subprocess.run(["tar", "-C", self.path, "--exclude=./dev/*", "-xf", made], check=True)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(Path("/") / file, self.path / file)
        (self.path / HOME.removeprefix("/")).mkdir()
        for file in Path("/etc/apt/apt.conf.d").glob("*proxy*"):
            shutil.copy(file, self.path / "etc/apt/apt.conf.d")

    def remove(self) -> None:
        """Delete it."""
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, script: str, *arguments: str, fails: bool = False) -> str:
        """Run a script of bash in it as root; what it says. Raises AssertionError where it fails, or does not though
        it is said to."""
        done = self.start(script, *arguments)
        said, _ = done.communicate(timeout=COMMAND_S)
        assert (done.returncode != 0) is fails, f"{self.suite}: exit code {done.returncode}:\n{script}\n{said[-3000:]}"
        return said

    def start(self, script: str, *arguments: str) -> subprocess.Popen[str]:
        """Start a script of bash in it."""
        own = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": HOME, "LANG": "C.UTF-8"}
        own |= {"DEBIAN_FRONTEND": "noninteractive", "QT_QPA_PLATFORM": "offscreen"}
        own |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        inside = ("bash", "-euo", "pipefail", "-c", script, "-", *arguments)
        command = ["unshare", "-m", "--propagation", "private", "bash", "-c", ENTER, "-", str(self.path), *inside]
        pipe, both = subprocess.PIPE, subprocess.STDOUT
        return subprocess.Popen(command, env=own, stdin=subprocess.DEVNULL, text=True, stdout=pipe, stderr=both)

    def bring(self, *files: Path) -> None:
        """Copy files into its /srv."""
        for file in files:
            shutil.copy(file, self.path / "srv")

    def install(self, *packages: str) -> None:
        """Install packages of Debian's."""
        self.run('apt-get -qq update && apt-get -qq install --no-install-recommends "$@" >/dev/null', *packages)

    def files(self) -> set[str]:
        """Return every file and folder, but for what is not of the package."""
        return set(self._files())

    def _files(self) -> Iterable[str]:
        for folder, folders, files in os.walk(self.path):
            here = Path(folder).relative_to(self.path).as_posix()
            folders[:] = [one for one in folders if f"{here}/{one}".removeprefix("./") not in NOT_OF_THE_PACKAGE]
            for name in (*folders, *files):
                if (found := f"{here}/{name}".removeprefix("./")) not in NOT_OF_THE_PACKAGE:
                    yield found
