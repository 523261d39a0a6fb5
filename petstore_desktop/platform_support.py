"""The one place for what differs between systems: permissions, locks, hard kills, and the names of disk errors.

Nothing here knows the shop; every layer may use it.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Final, TextIO

from petstore_desktop.clock import unique
from petstore_desktop.held_files import is_in_use, move, remove
from petstore_desktop.regular_files import read_start, refuse_other_kinds

if TYPE_CHECKING:
    from socket import socket as Socket

    from _typeshed import ReadableBuffer

_OS_CODES: dict[int, str] = {
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EBUSY: "locked",
    errno.ETXTBSY: "locked",
    errno.EISDIR: "not-a-file",  # also that of `regular_files`
    errno.ELOOP: "not-a-file",
}


def give_back_memory() -> None:
    """Have the C library return large pieces of memory as soon as they are free, keep one heap for all threads, and
    return what is free now (mallopt(3), malloc_trim(3)). Only for Linux with glibc; elsewhere nothing happens. The
    first call takes a few milliseconds, and none stops another thread."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # late: not worth its time before the first paint

    library = ctypes.CDLL(None)
    try:
        mallopt, trim = library.mallopt, library.malloc_trim
    except AttributeError:
        return  # another C library
    for option, value in _MALLOC:
        mallopt(option, value)
    trim(0)


_MALLOC = ((-8, 1), (-3, 1 << 20), (-1, 1 << 20))
"""M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD (bytes). To set the second also keeps it from growing; with a
lower one each sort would ask the system for its pieces."""


def make_private(path: Path) -> None:
    """Only the owner may read: 0700 for a folder, 0600 for a file. On Windows the profile's own rights say so."""
    if os.name == "posix":
        path.chmod(0o700 if path.is_dir() else 0o600)


def make_private_directory(path: Path) -> None:
    """Make the folder and those missing above it, each 0700, to outlast a power cut; folders that exist stay as they
    are. Raises OSError."""
    if path.is_dir():
        return
    make_private_directory(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    make_private(path)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make a rename or a new file in this folder outlast a power cut (fsync(2), "Notes"). Raises OSError."""
    if os.name != "posix":
        return  # Windows cannot open a folder; its journal keeps the rename
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, for its owner's eyes only (0600). Blocks. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{unique()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        move(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    sync_directory(path.parent)


def storage_code(error: OSError) -> str:
    """The StorageError code of an operating system's error: `disk-full`, `read-only`, `locked`, `not-a-file` or
    `cannot-open`."""
    return "locked" if is_in_use(error) else _OS_CODES.get(error.errno or 0, "cannot-open")


def is_reader_gone(error: Exception) -> bool:
    """Whether what was written into a pipe is read by nobody any more; Windows says of it only that an argument is
    invalid."""
    unnamed = isinstance(error, OSError) and error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and unnamed)


_NETWORK: frozenset[str] = frozenset(
    (
        "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs",
        "nfs", "nfs4", "ocfs2", "orangefs", "smb3", "smbfs", "sshfs",
        "fuse.ceph", "fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
    )
)  # fmt: skip
"""File systems of Linux whose files another computer has. Some of them lock and sync only by halves."""
_MOUNTS = Path("/proc/self/mountinfo")


def lies_on_network(folder: Path) -> bool:
    """Whether this folder is on another computer, as far as the system can tell."""
    where = folder.resolve()
    if os.name == "nt":
        import ctypes

        remote = 4  # DRIVE_REMOTE, GetDriveTypeW
        return where.drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(where.anchor) == remote
    try:
        mounts = _MOUNTS.read_text("utf-8", "replace")  # house: file - the kernel's
    except OSError:
        return False  # another system, which does not say
    return file_system(mounts, where) in _NETWORK


def file_system(mounts: str, where: PurePath) -> str:
    """The kind of file system at an absolute path, by the text of /proc/self/mountinfo (proc(5)); empty if unknown."""
    found = ""
    depth = 0
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        parts = left.split(" ")
        if len(parts) < 5 or not right:
            continue
        mount = type(where)(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), parts[4]))
        if where.is_relative_to(mount) and len(mount.parts) >= depth:  # the later one lies on top
            found, depth = right.split(" ")[0], len(mount.parts)
    return found


def take_lock(path: Path) -> IO[bytes] | None:
    """Hold a file for this process until it ends, however it ends; None when another process holds it. Raises
    OSError."""
    refuse_other_kinds(path)
    handle = path.open("a+b")  # house: file - looked at just now
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        handle.close()
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK):
            return None
        raise
    return handle


LOCK_S = 10.0
"""How long one waits for a lock that is held for a moment only; a stopped program may hold it for ever."""


@contextmanager
def brief_lock(path: Path, *, alone: bool) -> Generator[None]:
    """Hold a lock file for a moment: alone, or together with all who do not want it alone; on Windows always alone.
    Where a file system has no locks, or may not be written, nothing is held. Raises OSError (EBUSY) where another
    program does not let go of it in time."""
    handle = _brief_lock(path, alone)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _brief_lock(path: Path, alone: bool) -> int | None:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    end = time.monotonic() + LOCK_S
    while True:
        try:
            if os.name == "posix":
                import fcntl

                fcntl.flock(handle, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            else:
                import msvcrt

                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            return handle
        except OSError as error:
            held = error.errno in (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
            if held and time.monotonic() < end:
                time.sleep(0.005)
                continue
            os.close(handle)
            if held:
                raise OSError(errno.EBUSY, "another program holds it") from error
            return None


def take_folder(path: Path) -> int | None:
    """Hold a folder itself, which cannot be deleted and made anew as a file in it can, for this process until it ends
    (flock(2)); -1 where the system cannot: on Windows a file that is held cannot be deleted either. None when another
    process holds it. Raises OSError."""
    if os.name != "posix":
        return -1
    import fcntl

    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        return None if error.errno in (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK) else -1  # some network folders
    return descriptor


def has_screen() -> bool:
    """Whether this computer has a screen that a window can be shown on."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class RefusalKept(io.FileIO):
    """A file that keeps the first error of writing to it as `refused`. What is written after that goes nowhere: whoever
    writes ends in order, and whoever gave him the file looks at `refused` and says it."""

    refused: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        """Write, as far as the system takes it."""
        if self.refused is None:
            try:
                return super().write(data)
            except OSError as error:
                self.refused = error
        size = memoryview(data).nbytes
        if self.seekable():  # a ZIP file asks where it is
            self.seek(size, io.SEEK_CUR)
        return size

    def close(self) -> None:
        """Close; a disk on a network may say only now that it is full."""
        try:
            super().close()
        except OSError as error:
            self.refused = self.refused or error


class KeptText(io.TextIOBase):
    """A stream that keeps the end of what is written to it, and passes it on where there is somewhere to."""

    def __init__(self, onward: TextIO | None) -> None:
        super().__init__()
        self._onward = onward
        self.text = ""

    def write(self, text: str, /) -> int:
        """Keep it."""
        self.text = (self.text + text)[-_MOST_KEPT:]
        return len(text) if self._onward is None else self._onward.write(text)

    def flush(self) -> None:
        """Pass on what waits."""
        if self._onward is not None:
            self._onward.flush()


_MOST_KEPT = 4_000


def prepare_streams() -> KeptText | None:
    """Make stdout and stderr take whatever is written: each sign, and also where there is none of them. Returns the one
    that keeps its text where nobody reads stderr, since an icon started the program; None where somebody does."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name may hold signs that this terminal has not
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        sys.stdout = KeptText(None)
    if not _nobody_reads(sys.stderr):
        return None
    kept = sys.stderr = KeptText(sys.stderr)
    return kept


def keep_refusal() -> RefusalKept | None:
    """Have stdout keep the first error of writing to it; None where it is not known to be a file of the system."""
    told = sys.stdout
    buffer = getattr(told, "buffer", None)
    raw = getattr(buffer, "raw", buffer)  # there is no buffer before it with PYTHONUNBUFFERED
    if not isinstance(told, io.TextIOWrapper) or type(raw) is not io.FileIO:  # a console of Windows is none
        return None
    told.flush()
    kept = RefusalKept(told.fileno(), "wb", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(kept), told.encoding, told.errors, line_buffering=told.line_buffering or told.write_through
    )
    return kept


def _nobody_reads(stream: TextIO | None) -> bool:
    """Whether there is no stream, as in a program of Windows without a console, or it leads from a bundle on a screen
    to the system's log, which is a socket."""
    if stream is None:
        return True
    try:
        return getattr(sys, "frozen", False) and has_screen() and stat.S_ISSOCK(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


_SHORT: Final = "petstore-desktop-"
"""How a folder for a socket begins."""


def local_address(name: str, folder: Path, *, make: bool = False) -> str:
    """Where programs on this computer meet: a socket in `folder`, or a named pipe on Windows.

    A socket's path may be at most about 100 bytes (unix(7)); for a longer folder the socket lies in one of its own in
    the temporary folder, whose name nobody can know before, and which is told in `folder`. `make`: make it, to listen
    there. Raises OSError.
    """
    if os.name == "nt":
        import hashlib  # late: it loads a library of cryptography, and the first paint needs none

        digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        return rf"\\.\pipe\petstore-desktop-{name}-{digest}"
    near = folder / f"{name}.socket"
    if len(os.fsencode(near)) < 100:
        return str(near)
    told = folder / f"{name}.address"
    try:
        short = Path(os.fsdecode(read_start(told, 4096)))
    except FileNotFoundError:
        short = Path()
    if make and not _is_own(short):
        short = Path(tempfile.mkdtemp(prefix=_SHORT))
        write_whole(told, os.fsencode(short))
    return str(short / near.name if _is_own(short) else near)


def leave_address(address: Path) -> None:
    """Remove a socket, and the folder that was made for it."""
    address.unlink(missing_ok=True)  # house: held - a socket
    if address.parent.name.startswith(_SHORT):
        with suppress(OSError):
            address.parent.rmdir()


def _is_own(folder: Path) -> bool:
    """Whether this is a folder of this user, for nobody else."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return private and folder.name.startswith(_SHORT)


_SECRETS: Final = ("PETSTORE_API_KEY",)
"""Variables that hold what is nobody else's."""
_taken: dict[str, str] = {}


def take_secrets() -> None:
    """Take what is secret out of this process's environment, to be asked for with `secret_variable`: whatever it
    starts, a browser or a file manager of Qt's too, gets the rest alone. To be called when the program starts."""
    for name in _SECRETS:
        if (value := os.environ.pop(name, None)) is not None:
            _taken[name] = value


def secret_variable(name: str) -> str:
    """What one of them held at the start; empty for nothing."""
    return os.environ.get(name) or _taken.get(name, "")


def forget_secrets() -> None:
    """From now on none of them was there."""
    for name in _SECRETS:
        os.environ.pop(name, None)
    _taken.clear()


def clean_environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a process that this one starts is told of an environment, of this process's own unless told: nothing that is
    secret."""
    return {name: value for name, value in (os.environ if given is None else given).items() if name not in _SECRETS}


def refuse_other_user(peer: Socket) -> None:
    """Raise PermissionError where the other side of a local socket is not of this user, as far as the system can tell
    (unix(7)); elsewhere the socket's own rights keep others out."""
    import socket  # late, as what follows: none is needed before the first paint
    import struct

    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i")))
    if user not in (os.getuid(), os.geteuid()):
        raise PermissionError("the other side is another user's")
