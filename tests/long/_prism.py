"""Prism, a mock server that answers by an OpenAPI document and judges requests by it: fetched from npm, and started."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Self

PACKAGE, VERSION = "@stoplight/prism-cli", "5.14.2"
"""The last for Node 20."""
INSTALL_S, START_S = 240.0, 60.0
_VIOLATION = re.compile(r"[Vv]iolation: (request\S*) (.*)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class NotHere(Exception):
    """Prism cannot be had; the text says why."""


def prism_program() -> list[str]:
    """The command that runs Prism, which is installed into the system's temporary folder first. Raises NotHere."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotHere("no node here")
    place = Path(tempfile.gettempdir()) / f"petstore-desktop-prism-{VERSION}"
    command = place / "node_modules" / PACKAGE / "dist" / "index.js"
    if not command.is_file():
        _install(npm, place)
    if hasattr(os, "getuid") and place.stat().st_uid != os.getuid():  # house: platform - asked for before
        raise NotHere(f"{place} is somebody else's")  # anybody may make a folder there
    ran = subprocess.run([node, command, "--version"], capture_output=True, text=True, check=False, timeout=START_S)
    if ran.returncode or ran.stdout.strip() != VERSION:
        raise NotHere(f"what npm installed does not run: {(ran.stderr or ran.stdout).strip()[-300:]}")
    return [node, str(command)]


def _install(npm: str, place: Path) -> None:
    """Into a folder beside, so that a half installed one is never taken for a whole one."""
    fresh = Path(tempfile.mkdtemp(prefix="petstore-desktop-prism-"))
    asked = [npm, "install", "--prefix", str(fresh), "--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"]
    try:
        ran = subprocess.run(
            [*asked, f"{PACKAGE}@{VERSION}"], capture_output=True, text=True, check=False, timeout=INSTALL_S
        )
        if ran.returncode:
            raise NotHere(f"npm cannot install it: {ran.stderr.strip()[-300:]}")
        shutil.rmtree(place, ignore_errors=True)
        fresh.rename(place)
    except subprocess.TimeoutExpired:
        raise NotHere(f"npm did not install it within {INSTALL_S:.0f} s") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


class Prism:
    """One mock at `url`, which answers by the document; `dynamic`: with values made up anew each time."""

    def __init__(self, program: list[str], document: Path, *, dynamic: bool) -> None:
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._said: list[str] = []
        self._listens = threading.Event()
        command = [*program, "mock", "-p", str(port), "-h", "127.0.0.1", *(["-d"] if dynamic else []), str(document)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._reader = threading.Thread(target=self._read, name="prism")
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            for line in self._process.stdout:
                self._said.append(_COLOUR.sub("", line.rstrip()))
                if "Prism is listening" in line:
                    self._listens.set()
        self._listens.set()

    def __enter__(self) -> Self:
        self._listens.wait(START_S)
        if not any("Prism is listening" in line for line in self._said):
            said = "\n".join(self._said[-10:])
            self.__exit__()
            raise RuntimeError(f"Prism does not start: {said}")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    @property
    def violations(self) -> list[str]:
        """What it had against requests, by the document."""
        found = (_VIOLATION.search(line) for line in self._said)
        return [f"{match[1]} {match[2]}" for match in found if match and "do not support" not in match[2]]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def only_refusing(document: dict[str, Any], status: int, *, reads: bool) -> dict[str, Any]:
    """The document of a service that answers all writes, or with `reads` all reads, with this status alone, and an RFC
    9457 problem."""
    changed: dict[str, Any] = json.loads(json.dumps(document))
    problem = {"type": "about:blank", "title": "Not today", "status": status, "detail": "the till is being counted"}
    answer = {
        "description": "no",
        "content": {"application/problem+json": {"schema": {"type": "object"}, "example": problem}},
    }
    for node in changed["paths"].values():
        for method, operation in node.items():
            if method in (("get",) if reads else ("post", "put", "patch", "delete")):
                operation["responses"] = {str(status): answer}
    return changed
