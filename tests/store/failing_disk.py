"""A disk that fails when told to: a layer between SQLite and the real files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw


class FailingDisk(apsw.VFS):
    """While `fail_writes` or `fail_syncs` holds an exception class, writing or syncing raises it; with `only`, of the
    files alone whose name begins so. With `failures` the syncs work again after so many have failed. With `then_hold`
    all reading waits from the next sync on until `reading` is set. `readers`: the threads that have read."""

    def __init__(self, below: str, only: str = "") -> None:
        self.below = below
        self.only = only
        self.fail_writes: type[apsw.Error] | None = None
        self.fail_syncs: type[apsw.Error] | None = None
        self.failures: int | None = None
        self.then_hold = False
        self.reading = threading.Event()
        self.reading.set()
        self.readers: set[str] = set()
        super().__init__("failing-disk", below)

    def xOpen(self, name, flags):
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        if not Path(path).name.startswith(self.only):
            return super().xOpen(name, flags)
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name, flags) -> None:
        self._disk = disk
        super().__init__(disk.below, name, flags)

    def xRead(self, amount, offset):
        self._disk.readers.add(threading.current_thread().name)
        self._disk.reading.wait()
        return super().xRead(amount, offset)

    def xWrite(self, data, offset):
        if self._disk.fail_writes is not None:
            raise self._disk.fail_writes("the disk was told to fail")
        super().xWrite(data, offset)

    def xSync(self, flags):
        failure = self._disk.fail_syncs
        if failure is not None:
            if self._disk.failures is not None:
                self._disk.failures -= 1
                self._disk.fail_syncs = failure if self._disk.failures else None
            raise failure("the disk was told to fail")
        super().xSync(flags)
        if self._disk.then_hold:
            self._disk.then_hold = False
            self._disk.reading.clear()


@contextmanager
def failing_disk(only: str = "") -> Iterator[FailingDisk]:
    """Files opened inside the block lie on a disk that can fail."""
    before = apsw.vfs_names()[0]
    disk = FailingDisk(before, only)
    apsw.set_default_vfs("failing-disk")
    try:
        yield disk
    finally:
        apsw.set_default_vfs(before)
        disk.unregister()
