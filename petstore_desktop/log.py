"""The log: one rotating file, redacted in every line and every traceback, and the last resort for uncaught
errors.

Redaction is done on the finished text, so that no argument, exception or third-party record can carry a key past it.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from petstore_desktop.masking import MASK, holds, is_common, masked, repeats
from petstore_desktop.platform_support import make_private, make_private_directory
from petstore_desktop.regular_files import refuse_other_kinds

FILE_NAME = "petstore.log"
_BYTES, _FILES = 1_000_000, 5
_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"

_secrets: tuple[str, ...] = ()
_NAMES = r"\b(?:authorization|(?:x[-_])?api[-_]?key|access[-_]?token|key)"
_PATTERNS = (
    # A header as text, `Authorization: Bearer x`, or as a pair in a debug line, `(b'authorization', b'x')`.
    re.compile(rf"(?i)({_NAMES}(?:['\"]?\s*[:=]\s*|['\"]\s*,\s*)b?['\"]?(?:bearer\s+|basic\s+)?)[^\s'\"&,)]{{8,}}"),
    re.compile(r"(?i)(\bbearer\s+)[^\s'\",)]{4,}"),
)


class Concealed(str):
    """A text whose `repr` does not show it: nor does that of what holds it (dataclasses, tasks, callbacks). A part of
    it, which those would show of a long text, is masked nowhere."""

    __slots__ = ()

    def __repr__(self) -> str:
        return MASK


def keep_secret(secret: str) -> Concealed:
    """Never write this text from now on, however it is written (see `masking`). Returns it, to be handed on."""
    global _secrets
    if len(secret) >= 4:
        _secrets = tuple({*_secrets, secret})  # a new one, since other threads read the old one
    return Concealed(secret)


def without_secrets(text: str, also: Iterable[str] = ()) -> str:
    """The text with each known secret masked, and each of these."""
    return masked(text, {*_secrets, *also})


def redact(text: str, also: Iterable[str] = ()) -> str:
    """The text without any known secret, without these, and without what looks like one."""
    return _without_likely(without_secrets(text, also))


def redact_sentence(text: str) -> str:
    """A sentence of ours, with what others have said in it, which was masked when it came: a secret that may be any
    word is left, for here it is one."""
    return _without_likely(masked(text, (secret for secret in _secrets if not is_common(secret))))


def _without_likely(text: str) -> str:
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<1>{MASK}", text)
    return text


def holds_secret(text: str) -> bool:
    """Whether a known secret stands in a text: such a text is not kept. One that may be any word is not looked for."""
    return holds(text, _secrets)


def repeats_secret(text: str) -> bool:
    """Whether a known secret stands in a text as it is, or as JSON writes it; quick, for each answer that is read."""
    return repeats(text, _secrets)


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and redacts the result."""

    def format(self, record: logging.LogRecord) -> str:
        """The line to write."""
        return redact(super().format(record))


if logging.lastResort is not None:
    logging.lastResort.setFormatter(RedactingFormatter())  # what is said before `start`, or without it, to stderr


def start(folder: Path) -> None:
    """Write the program's log to `folder`, for its owner's eyes only; a second call does nothing. A folder that cannot
    be written leaves the program without a log, not without a window."""
    from logging.handlers import RotatingFileHandler  # late: it is not needed before the first paint

    if _handlers():
        return
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    logging.raiseExceptions = False  # else a record that cannot be written goes to stderr, as it is
    for noisy in ("httpx", "httpcore", "keyring", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    handler: logging.Handler
    try:
        make_private_directory(folder)
        refuse_other_kinds(folder / FILE_NAME)
        handler = RotatingFileHandler(folder / FILE_NAME, maxBytes=_BYTES, backupCount=_FILES, encoding="utf-8")
        make_private(folder / FILE_NAME)
    except OSError as error:
        sys.stderr.write(f"petstore-desktop: no log can be written to {folder}: {error}\n")
        handler = logging.StreamHandler()
        handler.setLevel(logging.WARNING)
    handler.setFormatter(RedactingFormatter(_FORMAT))
    root.addHandler(handler)


def stop() -> None:
    """Close the log's files."""
    for handler in _handlers():
        logging.getLogger().removeHandler(handler)
        handler.close()


def _handlers() -> list[logging.Handler]:
    return [one for one in logging.getLogger().handlers if isinstance(one.formatter, RedactingFormatter)]


def describe(error: BaseException) -> str:
    """An error with its traceback, redacted, as text for the log and for the dialog's Copy."""
    return redact("".join(traceback.format_exception(error)))


def catch_everything(tell: Callable[[BaseException], None]) -> None:
    """Log uncaught errors of any thread or finaliser and hand them to `tell`, which is called in the thread of the
    error."""

    def take(error: BaseException | None, where: str) -> None:
        if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
            return
        logging.getLogger("petstore_desktop").error("unexpected error in %s", where, exc_info=error)
        tell(error)

    sys.excepthook = lambda _kind, error, _trace: take(error, "the main thread")
    threading.excepthook = lambda args: take(args.exc_value, args.thread.name if args.thread else "a thread")
    sys.unraisablehook = lambda args: take(args.exc_value, "a finaliser")
