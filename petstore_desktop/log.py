"""The log: one rotating file, redacted in every line and every traceback, and the last resort for errors nobody
caught.

Redaction is done on the finished text, so that no argument, exception or third-party record can carry a key past it.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

FILE_NAME = "petstore.log"
_BYTES, _FILES = 1_000_000, 5
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"

_secrets: set[str] = set()
_PATTERNS = (
    re.compile(r"(?i)(authorization['\"]?\s*[:=]\s*['\"]?(?:bearer|basic)?\s*)[^\s'\",]+"),
    re.compile(r"(?i)((?:api[-_]?key|access[-_]?token|key)['\"]?\s*[:=]\s*['\"]?)[^\s'\"&,)]{8,}"),
)


def keep_secret(secret: str) -> None:
    """Never write this text from now on."""
    if len(secret) >= 4:
        _secrets.add(secret)


def redact(text: str) -> str:
    """The text without any known secret, and without what looks like one."""
    for secret in _secrets:
        text = text.replace(secret, "***")
    for pattern in _PATTERNS:
        text = pattern.sub(r"\1***", text)
    return text


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and redacts the result."""

    def format(self, record: logging.LogRecord) -> str:
        """The line to write."""
        return redact(super().format(record))


def start(folder: Path) -> None:
    """Write the program's log to `folder`. A folder that cannot be written leaves the program without a log, not
    without a window."""
    from logging.handlers import RotatingFileHandler  # late: it is not needed before the first paint

    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for noisy in ("httpx", "httpcore", "keyring", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / FILE_NAME, maxBytes=_BYTES, backupCount=_FILES, encoding="utf-8")
    except OSError as error:
        # There is nowhere else to say it.
        print(f"petstore-desktop: no log can be written to {folder}: {error}", file=sys.stderr)  # noqa: T201
        return
    handler.setFormatter(RedactingFormatter(_FORMAT))
    root.addHandler(handler)


def stop() -> None:
    """Close the log's files."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler.formatter, RedactingFormatter):
            root.removeHandler(handler)
            handler.close()


def describe(error: BaseException) -> str:
    """An error with its traceback, redacted, as text for the log and for the dialog's Copy."""
    return redact("".join(traceback.format_exception(error)))


def catch_everything(tell: Callable[[BaseException], None]) -> None:
    """Errors that nobody caught, in any thread or finaliser, are logged and handed to `tell` (called in the thread
    they happened in)."""

    def take(error: BaseException | None, where: str) -> None:
        if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
            return
        logging.getLogger("petstore_desktop").error("unexpected error in %s", where, exc_info=error)
        tell(error)

    def in_main(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        take(error, "the main thread")

    def in_thread(args: threading.ExceptHookArgs) -> None:
        take(args.exc_value, args.thread.name if args.thread is not None else "a thread")

    def in_finaliser(args: sys.UnraisableHookArgs) -> None:
        take(args.exc_value, "a finaliser")

    sys.excepthook = in_main
    threading.excepthook = in_thread
    sys.unraisablehook = in_finaliser
