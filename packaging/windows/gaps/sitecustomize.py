"""What Wine's C runtime does otherwise than Windows': `_locking` leaves errno at 0 where Windows says EACCES."""

import errno
import msvcrt

_locking = msvcrt.locking


def locking(fd: int, mode: int, nbytes: int) -> None:
    """Do as msvcrt.locking does."""
    try:
        _locking(fd, mode, nbytes)
    except OSError as error:
        if error.errno:
            raise
        raise PermissionError(errno.EACCES, "Permission denied") from None


msvcrt.locking = locking
