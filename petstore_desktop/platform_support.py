"""The one place for what differs between systems: permissions, locks, hard kills, and the names of disk errors.

Nothing here knows the shop; every layer may use it.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess  # only a type here: not worth its time before the first paint

_OS_CODES: dict[int, str] = {
    errno.ENOSPC: "disk-full",
    errno.EDQUOT: "disk-full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EBUSY: "locked",
    errno.ETXTBSY: "locked",
}


def kill_hard(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """End a child at once, without a chance to tidy up (SIGKILL; TerminateProcess on Windows), and wait for its
    end."""
    process.kill()
    process.wait()


def make_private(path: Path) -> None:
    """Only the owner may read: 0700 for a folder, 0600 for a file. On Windows the profile's own rights say so."""
    if os.name == "posix":
        path.chmod(0o700 if path.is_dir() else 0o600)


def make_private_directory(path: Path) -> None:
    """Make the folder and those missing above it, each 0700; folders that exist stay as they are. Raises OSError."""
    if path.is_dir():
        return
    make_private_directory(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    make_private(path)


def sync_directory(path: Path) -> None:
    """Make a rename or a new file in this folder outlast a power cut (fsync(2), "Notes"). Raises OSError."""
    if os.name != "posix":
        return  # Windows cannot open a folder; its journal keeps the rename
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def storage_code(error: OSError) -> str:
    """The StorageError code of an operating system's error: `disk-full`, `read-only`, `locked` or `cannot-open`."""
    return _OS_CODES.get(error.errno or 0, "cannot-open")


def take_lock(path: Path) -> IO[bytes] | None:
    """Hold a file for this process until it ends, however it ends; None when another process holds it. Raises
    OSError."""
    handle = path.open("a+b")
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


def has_screen() -> bool:
    """Whether a window could be shown to somebody here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def local_address(name: str, folder: Path) -> str:
    """Where programs on this computer meet: a socket in `folder`, or a named pipe on Windows.

    A socket's path may be at most about 100 bytes (unix(7)); for a longer folder the socket lies in the temporary
    folder, under a name that is digested from the folder's.
    """
    import hashlib  # late: it loads a library of cryptography, and the first paint needs none

    digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    if os.name == "nt":
        return rf"\\.\pipe\petstore-desktop-{name}-{digest}"
    near = folder / f"{name}.socket"
    if len(os.fsencode(near)) < 100:
        return str(near)
    return str(Path(tempfile.gettempdir()) / f"petstore-desktop-{os.getuid()}-{name}-{digest}.socket")
