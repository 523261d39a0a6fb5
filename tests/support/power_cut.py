"""A disk whose power can be cut: what was not synced lies there in part, torn, or spoilt.

    with recording() as trace:
        ...                              # SQLite at work on real files
        trace.say("saved")               # what was promised by now
    disk = Disk(files_before)
    for op in trace.ops[:k]: disk.take(op)
    found = disk.after_a_cut(random)     # the files as they would be found

SQLite's writes, syncs, truncations and deletions are recorded between it and the system's own files, in their order. A
sync makes a file's own content last; of everything later each sector of 512 bytes is found as it was, new, torn at any
byte, or spoilt as a whole, together with what was beside the write in that sector (no "powersafe overwrite"). A file
that was made or deleted is there or not until its folder was synced, which SQLite does with the first sync of a new log
(os_unix.c, UNIXFILE_DIRSYNC) and where it asks for it with a deletion.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import apsw

SECTOR = 512
_NUMBERS = itertools.count()


class Op(NamedTuple):
    """One thing that happened to the file `name`: `made`, `write`, `size` (truncated to `offset`), `sync`, `deleted`
    (`offset` 1: and its folder synced); or `said`: `name` is what was promised."""

    what: str
    name: str
    offset: int = 0
    data: bytes = b""


@dataclass(slots=True)
class Trace:
    """What happened, in order. With `deaf` no sync arrives, as on a disk that lies."""

    deaf: bool = False
    ops: list[Op] = field(default_factory=list)

    def say(self, what: str) -> None:
        """Note that this was promised to somebody."""
        self.ops.append(Op("said", what))


@contextmanager
def recording(*, deaf: bool = False) -> Iterator[Trace]:
    """Record what SQLite does to the files that are opened inside the block."""
    before = apsw.vfs_names()[0]
    trace = Trace(deaf)
    disk = _Recorder(f"power-cut-{next(_NUMBERS)}", before, trace)
    apsw.set_default_vfs(disk.name)
    try:
        yield trace
    finally:
        apsw.set_default_vfs(before)
        disk.unregister()


class _Recorder(apsw.VFS):
    def __init__(self, name: str, below: str, trace: Trace) -> None:
        self.name, self.below, self.trace = name, below, trace
        super().__init__(name, below)

    def xOpen(self, name, flags):
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None:
            return super().xOpen(name, flags)
        new = not Path(path).exists()
        file = _File(self, name, flags, Path(path).name)
        if new:
            self.trace.ops.append(Op("made", Path(path).name))
        return file

    def xDelete(self, filename, syncdir):
        super().xDelete(filename, syncdir)
        self.trace.ops.append(Op("deleted", Path(filename).name, int(syncdir and not self.trace.deaf)))


class _File(apsw.VFSFile):
    def __init__(self, disk: _Recorder, opened, flags, name: str) -> None:
        self._name, self._trace = name, disk.trace
        super().__init__(disk.below, opened, flags)

    def xWrite(self, data, offset):
        super().xWrite(data, offset)
        self._trace.ops.append(Op("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize):
        super().xTruncate(newsize)
        self._trace.ops.append(Op("size", self._name, newsize))

    def xSync(self, flags):
        super().xSync(flags)
        if not self._trace.deaf:
            self._trace.ops.append(Op("sync", self._name))


@dataclass(slots=True)
class _Content:
    """What lies on the disk for sure, and what may."""

    lasting: bytearray
    waiting: list[Op] = field(default_factory=list)

    def settle(self) -> None:
        for op in self.waiting:
            _whole(self.lasting, op)
        self.waiting.clear()

    def found(self, chance: random.Random) -> bytes:
        content = bytearray(self.lasting)
        share = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for op in self.waiting:
            _in_part(content, op, chance, share)
        return bytes(content)


class Disk:
    """One folder's files, by name, as recorded operations leave them."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._names: dict[str, list[_Content | None]] = {
            name: [_Content(bytearray(data))] for name, data in files.items()
        }
        """What each name may be found to be after a cut; the last is what it is now."""

    def take(self, op: Op) -> None:
        """One operation."""
        match op.what:
            case "made":
                self._names.setdefault(op.name, [None]).append(_Content(bytearray()))
            case "deleted":
                self._names[op.name].append(None)
                if op.offset:
                    self._settle_names()
            case "sync":
                self._now(op.name).settle()
                if len(self._names[op.name]) > 1:
                    self._settle_names()
            case "write" | "size":
                self._now(op.name).waiting.append(op)
            case _:
                pass

    @property
    def waits(self) -> bool:
        """Whether anything is not synced."""
        return any(len(maybe) > 1 or (maybe[-1] and maybe[-1].waiting) for maybe in self._names.values())

    def after_a_cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files as they are found when the power is back."""
        there = {name: chance.choice(maybe) for name, maybe in self._names.items()}
        return {name: content.found(chance) for name, content in there.items() if content is not None}

    def _now(self, name: str) -> _Content:
        content = self._names.setdefault(name, [_Content(bytearray())])[-1]
        assert content is not None, f"{name} is written to, but was deleted"
        return content

    def _settle_names(self) -> None:
        for maybe in self._names.values():
            del maybe[:-1]


def _whole(content: bytearray, op: Op) -> None:
    if op.what == "size":
        del content[op.offset :]
    else:
        _put(content, op.offset, op.data)


def _in_part(content: bytearray, op: Op, chance: random.Random, share: float) -> None:
    """Of each sector the new content comes with this chance; else mostly the old one, or something that is neither."""
    if op.what == "size":
        if chance.random() < share:
            _whole(content, op)
        return
    end = op.offset + len(op.data)
    for sector in range(op.offset - op.offset % SECTOR, end, SECTOR):
        first, last = max(op.offset, sector), min(end, sector + SECTOR)
        new = op.data[first - op.offset : last - op.offset]
        if chance.random() < share:
            _put(content, first, new)
        elif (luck := chance.random()) < 0.1:
            _put(content, first, new[: chance.randrange(len(new))])
        elif luck < 0.2:
            _put(content, sector, chance.randbytes(SECTOR))


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
