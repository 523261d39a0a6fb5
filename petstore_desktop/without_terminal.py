"""For a program that an icon started: nobody reads what it prints, so what keeps it from starting is shown in a window.

A program of Windows without a console has no `sys.stderr` at all; behind an icon of Linux it leads into the system's
log.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from typing import TextIO

from petstore_desktop.platform_support import has_screen

MOST = 4_000
"""How much of the end of what is written is kept: signs."""


class KeptText(io.TextIOBase):
    """A stream that keeps the end of what is written to it, and passes it on where there is somewhere to."""

    def __init__(self, onward: TextIO | None) -> None:
        super().__init__()
        self._onward = onward
        self.text = ""

    def write(self, text: str, /) -> int:
        """Keep it."""
        self.text = (self.text + text)[-MOST:]
        return len(text) if self._onward is None else self._onward.write(text)

    def flush(self) -> None:
        """Pass on what waits."""
        if self._onward is not None:
            self._onward.flush()


def keep_what_nobody_reads() -> KeptText | None:
    """Put streams in the place of those that are missing, and one that keeps its text where nobody reads stderr: that
    one. None where somebody does."""
    if sys.stdout is None:
        sys.stdout = KeptText(None)
    if not _nobody_reads(sys.stderr):
        return None
    kept = KeptText(sys.stderr)
    sys.stderr = kept
    return kept


def _nobody_reads(stream: TextIO | None) -> bool:
    """Whether there is no stream, or it leads from a bundle on a screen to the system's log, which is a socket."""
    if stream is None:
        return True
    if not (getattr(sys, "frozen", False) and has_screen()):
        return False
    try:
        return stat.S_ISSOCK(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def show_why(text: str) -> None:
    """Show what kept the program from starting, and wait until it is read."""
    from PySide6.QtWidgets import QApplication

    from petstore_desktop.app import make_application
    from petstore_desktop.ui.questions.error import show_start_error

    _application = QApplication.instance() or make_application()
    show_start_error(text.removeprefix("petstore-desktop: ").strip())
