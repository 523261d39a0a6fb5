"""Every thread of the program: begun here, and ended here.

Python's own end does not wait for a daemon thread, and takes the interpreter from under it: one that is inside Qt or
Rust then ends the whole program by a signal. `run_to_end` waits for what is being written instead, and leaves by
`end_at_once`, which takes nothing from anybody.

What a thread may touch of Qt: it emits the signals of `shop.background` and `ui.context.bridge`, and compares sort
keys that the window's thread has made. It runs no other code of a module that knows Qt, and imports none
(`tests/support/qt_threads` watches that in the tests).
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

END_S: Final = 2.0
"""Seconds that the end of the program waits for its threads, all together."""


class Worker(threading.Thread):
    """One thread of ours."""

    def __init__(self, work: Callable[[], object], name: str, writes: bool) -> None:
        super().__init__(target=work, name=name, daemon=True)
        self.writes = writes
        """Whether the end of the program gives it a moment."""


def begin(work: Callable[[], object], name: str, *, writes: bool = True) -> Worker:
    """Do `work` in a thread of its own. What it raises goes to `threading.excepthook`, see `fail`. `writes`: it may be
    about to write something, or else nobody has to wait for it."""
    thread = Worker(work, name, writes)
    thread.start()
    return thread


def fail(error: BaseException, thread: threading.Thread) -> None:
    """Tell of an error that nobody expected, and that came up in this thread: where all of them are told."""
    threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, thread)))


def wait_for_writers() -> None:
    """Give all that may be about to write something a moment."""
    _join(lambda worker: worker.writes)


def all_ended() -> bool:
    """Give every thread but this one a moment; whether none is left, of others' neither."""
    _join(lambda _: True)
    return threading.enumerate() == [threading.current_thread()]


def _join(is_waited_for: Callable[[Worker], bool]) -> None:
    until = time.monotonic() + END_S
    for thread in threading.enumerate():
        if isinstance(thread, Worker) and thread is not threading.current_thread() and is_waited_for(thread):
            thread.join(max(0.0, until - time.monotonic()))


def run_to_end(main: Callable[[], int]) -> NoReturn:
    """Be the whole program: the process ends with what `main` returns. What it wrote is on the disk by then; what
    threads are still writing has a moment. Nothing of Python or Qt is taken down, see above."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's own threads would only cost 60 ms of the start
    code = 1
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:  # noqa: BLE001 -- the last of all places: it is said as Python says it
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        wait_for_writers()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):  # closed, full, or none at all
                stream.flush()
        end_at_once(code)


def end_at_once(code: int) -> NoReturn:
    """End this process, as it is, with this exit code: nothing is taken down. On Windows `os._exit` would have each
    library tidy up while threads are still inside it."""
    if os.name == "nt":
        import ctypes

        this_process = ctypes.c_void_p(-1)  # GetCurrentProcess
        ctypes.windll.kernel32.TerminateProcess(this_process, code)
    os._exit(code)
