"""A disk that a test can fill to the last byte, where the system lets it mount one, else a folder that never is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK = 4096


class SmallDisk:
    """`folder` lies on a disk of its own, of a few megabytes; unless `mounted` is false."""

    def __init__(self, folder: Path, mounted: bool) -> None:
        self.folder = folder
        self.mounted = mounted
        self._ballast = folder / "ballast"

    def need(self) -> None:
        """End the test where no disk can be mounted: only Linux can be expected to."""
        if not self.mounted:
            end = pytest.skip if sys.platform == "linux" else pytest.xfail
            end("linux: a small disk can be mounted")

    def fill(self) -> None:
        """Take every block that is free."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (BLOCK, 1):
                try:
                    while ballast.write(b"\0" * size) == size:
                        pass
                except OSError:
                    pass

    def empty(self) -> None:
        """Give them back."""
        self._ballast.unlink(missing_ok=True)

    def protect(self, read_only: bool = True) -> None:
        """Let nothing be written there, or let it again."""
        mode = "ro" if read_only else "rw"
        subprocess.run(["mount", "-o", f"remount,{mode}", str(self.folder)], capture_output=True, check=True)


@contextmanager
def small_disk(folder: Path, size: str = "6m") -> Iterator[SmallDisk]:
    """A disk in memory, mounted on `folder` if that is permitted."""
    folder.mkdir(mode=0o700)
    options = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)]
    mounted = shutil.which("mount") is not None and _works(options)
    try:
        yield SmallDisk(folder, mounted)
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=True)


def _works(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
