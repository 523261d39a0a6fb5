"""The end of a child process that has no chance to tidy up."""

from __future__ import annotations

import subprocess


def kill_hard(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """End a child at once (SIGKILL; TerminateProcess on Windows), and wait for its end."""
    process.kill()
    process.wait()
