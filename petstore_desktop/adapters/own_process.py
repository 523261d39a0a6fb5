"""Starts the program once more, beside this one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from petstore_desktop.domain.errors import StorageError


def start_again(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """With these arguments, and in this environment. It outlives this one. Raises StorageError."""
    own = () if getattr(sys, "frozen", False) else ("-m", "petstore_desktop")  # a bundle is its own interpreter
    try:
        return subprocess.Popen(
            [sys.executable, *own, *arguments],
            stdin=subprocess.DEVNULL,
            env=environment,
            cwd=Path(__file__).resolve().parents[2],
            start_new_session=True,
        )
    except OSError as error:
        raise StorageError("cannot-open", path=sys.executable, why=str(error)) from error
