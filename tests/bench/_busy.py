"""One core kept busy by a process of the bench's own, as on a computer that always has something running."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SPIN = """
import os, sys, threading

def end_with_the_bench():
    sys.stdin.read()
    os._exit(0)

threading.Thread(target=end_with_the_bench, daemon=True).start()
print(flush=True)
while True:
    pass
"""


@contextmanager
def busy_core(wanted: bool) -> Iterator[subprocess.Popen[bytes] | None]:
    """Keep one core busy until the block ends, if that is wanted. The process also ends when this one does, however
    that is: it reads from a pipe of which this one has the only other end."""
    if not wanted:
        yield None
        return
    command = [sys.executable, "-I", "-S", "-c", _SPIN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()
