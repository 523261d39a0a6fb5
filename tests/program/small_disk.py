"""A disk that a test can fill to the last byte."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLOCK = 4096


class SmallDisk:
    """`folder` lies on a disk of its own, of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

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
        self._ballast.unlink()


@contextmanager
def small_disk(folder: Path, size: str = "6m") -> Iterator[SmallDisk | None]:
    """A disk in memory, mounted on `folder`; None where that is not permitted."""
    folder.mkdir(mode=0o700)
    if shutil.which("mount") is None:
        yield None
        return
    options = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", str(folder)]
    if subprocess.run(options, capture_output=True, check=False).returncode != 0:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=True)
