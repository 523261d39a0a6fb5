"""Reports of crashes: an unexpected error, or a signal that ended the program (faulthandler), leaves a small file
beside the log. The next start shows those of a program that did not end as it should. Nothing is ever sent.

A report says where in the program it happened, and nothing of what was worked on: no value, no message of an error,
which may quote a record, and no folder of this computer.
"""

from __future__ import annotations

import faulthandler
import logging
import platform
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, BinaryIO, Final

from petstore_desktop import __version__
from petstore_desktop.held_files import move, remove
from petstore_desktop.log import RedactingFormatter, redact
from petstore_desktop.platform_support import make_private, make_private_directory, write_whole
from petstore_desktop.regular_files import read_start, refuse_other_kinds
from petstore_desktop.threads import Worker, begin

if TYPE_CHECKING:
    from petstore_desktop.shop.background import Background

KEPT: Final = 10
"""Reports that stay; older ones are deleted."""
MOST_BYTES: Final = 64 * 1024
"""No report is longer, and no more is read of one."""
_WRITING_S = 2.0
"""How long the end of the program waits for a report that is being written."""
_FRAMES, _ERRORS = 60, 12
"""Calls of one error that are named, the last ones; and errors of one report, of those that led to each other."""
_NEW, _SEEN = ".new.txt", ".txt"
_NAME: Final = "crash-"
_FATAL: Final = re.compile(r"(?:Fatal Python error|Windows fatal exception): [\w :.,'-]{1,80}")
_THREAD: Final = re.compile(r"(Current thread|Thread) 0x[0-9a-f]+[^\n]{0,60}\(most recent call first\):")
_CALL: Final = re.compile(r'  File "([^"\n]{1,1000})", line (\d{1,7}) in ([\w<>.]{1,200})')


class CrashReports(logging.Handler):
    """The reports of one data folder, whose owner the caller is: a part of the log, which takes each error that is
    logged with where it came from. No method raises: a disk that takes no report changes nothing."""

    def __init__(self, folder: Path) -> None:
        """`folder`: that of the log."""
        super().__init__(logging.ERROR)
        self.setFormatter(RedactingFormatter())  # `log.stop` closes all that have one
        self.folder = folder
        self._running = folder / f"{_NAME}running"
        self._file: BinaryIO | None = None
        self._writing: Worker | None = None
        self._own = list[Path]()
        """What this program wrote, at most `KEPT`: the first say most, and an error may come with each paint."""

    def begin(self) -> str:
        """Write down from now on what happens. Returns the reports of earlier programs that nobody has seen, the latest
        first; empty if there are none. Not for the GUI thread."""
        unseen = ""
        with suppress(OSError, ValueError):
            if found := _of_signal(_read(self._running)):
                self._write(found, datetime.fromtimestamp(self._running.stat().st_mtime, UTC))
        with suppress(OSError):
            new = sorted(self.folder.glob(f"{_NAME}*{_NEW}"), reverse=True)
            unseen = "\n".join(_read(path) for path in new[:KEPT])[:MOST_BYTES]
        with suppress(OSError, RuntimeError):
            make_private_directory(self.folder)
            refuse_other_kinds(self._running)
            self._file = self._running.open("wb")  # house: file - looked at just now
            make_private(self._running)
            faulthandler.enable(self._file)
        logging.getLogger().addHandler(self)
        return unseen

    def emit(self, record: logging.LogRecord) -> None:
        """Have an unexpected error written down, in a thread of its own: that of the error may be the window's."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and len(self._own) < KEPT:
            said = _of_error(error, record.threadName or "a thread")
            self._writing = begin(lambda: self._keep(said), "crash report")

    def keep(self, error: BaseException, where: str) -> None:
        """Write down an error that nobody expected; `where`: its thread."""
        if len(self._own) < KEPT:
            self._keep(_of_error(error, where))

    def _keep(self, said: str) -> None:
        with suppress(OSError):
            self._own.append(self._write(said, datetime.now(UTC)))

    def mark_seen(self) -> None:
        """A person has seen all that there is by now."""
        _mark_seen(self.folder.glob(f"{_NAME}*{_NEW}"))

    def close(self) -> None:
        """The program ends as it should: each error was shown when it came."""
        logging.getLogger().removeHandler(self)
        if self._writing is not None:
            self._writing.join(_WRITING_S)
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None
            with suppress(OSError):
                remove(self._running)
            _mark_seen(self._own)
        super().close()

    def _write(self, what: str, when: datetime) -> Path:
        head = f"Pet Store Desktop {__version__}, Python {platform.python_version()}{_qt()}, {platform.platform()}"
        text = redact(f"{head}\n{when:%Y-%m-%d %H:%M:%S} UTC\n{what}\n").encode("ascii", "backslashreplace")
        make_private_directory(self.folder)
        path = self.folder / f"{_NAME}{when:%Y%m%dT%H%M%S%f}{_NEW}"
        write_whole(path, text[:MOST_BYTES])
        for old in sorted(self.folder.glob(f"{_NAME}*.txt"), reverse=True)[KEPT:]:
            remove(old)
        return path


def _mark_seen(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            move(path, path.with_name(path.name.removesuffix(_NEW) + _SEEN))


def report_crashes(folder: Path, background: Background, show: Callable[[str, Callable[[], object]], object]) -> None:
    """Begin to write reports beside the log in `folder`; `show` those of the last time, and call back when seen."""
    reports = CrashReports(folder)

    def seen() -> None:
        background.run(reports.mark_seen, lambda _: None)

    def told(unseen: str) -> None:
        if unseen:
            show(unseen, seen)

    background.run(reports.begin, told)


def _qt() -> str:
    core = sys.modules.get("PySide6.QtCore")
    return "" if core is None else f", Qt {core.qVersion()}"


def _read(path: Path) -> str:
    return read_start(path, MOST_BYTES).decode("utf-8", "replace")


def _led_to(error: BaseException) -> Iterator[BaseException]:
    """This error, those in it, and those that led to them; each once, and not without end."""
    waiting, known = [error], set[int]()
    while waiting and len(known) < _ERRORS:
        one = waiting.pop(0)
        if id(one) in known:
            continue
        known.add(id(one))
        yield one
        inner: tuple[BaseException, ...] = getattr(one, "exceptions", ())  # of an ExceptionGroup
        waiting += [other for other in (*inner, one.__cause__ or one.__context__) if isinstance(other, BaseException)]


def _of_error(error: BaseException, where: str) -> str:
    lines = (line for number, one in enumerate(_led_to(error)) for line in _calls(one, number))
    return "\n".join((f"In {where}:", *lines))


def _calls(error: BaseException, number: int) -> Iterator[str]:
    kind = type(error)
    yield f"{'With ' if number else ''}{kind.__module__}.{kind.__qualname__}"
    for frame, line in [*traceback.walk_tb(error.__traceback__)][-_FRAMES:]:
        yield f"  {_place(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}"


def _place(file: str) -> str:
    """A file as it is called in the program or library, without the folders of this computer."""
    parts = PureWindowsPath(file).parts  # reads both kinds of slashes
    ours = [number for number, part in enumerate(parts) if part == "petstore_desktop"]
    return "/".join(parts[ours[-1] :] if ours else parts[-2:])


def _of_signal(text: str) -> str:
    """What faulthandler wrote, line by line; what it can't have written is left out."""
    found = list[str]()
    for line in text.splitlines():
        if call := _CALL.fullmatch(line):
            found.append(f"  {_place(call[1])}:{call[2]} in {call[3]}")
        elif thread := _THREAD.fullmatch(line):
            found.append(f"{thread[1]}:")
        elif _FATAL.fullmatch(line):
            found.append(line)
    return "\n".join(found)
