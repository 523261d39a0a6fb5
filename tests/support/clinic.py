"""`connect` and `doctor` as a person runs them, in one data directory."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.cli import main
from tests.support.shop import KEY


@dataclass(frozen=True, slots=True)
class Said:
    """What one run said: its exit code, and the checks by name."""

    status: int
    checks: dict[str, dict[str, Any]]
    out: str
    data: dict[str, Any]

    @property
    def wrong(self) -> list[str]:
        return [name for name, check in self.checks.items() if check["ok"] is False]

    @property
    def noted(self) -> list[str]:
        """What keeps nobody from working there."""
        return [name for name, check in self.checks.items() if check["ok"] and check["advice"]]

    def cause(self) -> str:
        """What is said of what is wrong, in whole."""
        return " ".join(
            f"{self.checks[name]['said']} {self.checks[name]['advice']}" for name in (*self.wrong, *self.noted)
        )


class Clinic:
    """Runs `connect` without a key, and `doctor` with one."""

    def __init__(self, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self._capsys, self._monkeypatch = data, capsys, monkeypatch

    def connect(self, url: str, *options: str) -> None:
        self._monkeypatch.delenv("PETSTORE_API_KEY", raising=False)
        assert main(["--data-dir", str(self.data), "connect", "Shop", "--url", url, *options]) == 0
        self._capsys.readouterr()

    def doctor(self, key: str = KEY) -> Said:
        self._monkeypatch.setenv("PETSTORE_API_KEY", key)
        status = main(["--data-dir", str(self.data), "doctor", "Shop", "--json"])
        said = self._capsys.readouterr()
        assert said.err == ""
        found = json.loads(said.out)
        names = [
            "checks",
            "guessed",
            "missing_values",
            "not_found",
            "not_possible",
            "not_used",
            "ok",
            "pets",
            "written_as",
        ]
        assert sorted(found) == names
        assert all(sorted(check) == ["advice", "name", "ok", "said"] for check in found["checks"])
        assert status == (0 if found["ok"] else 1)
        return Said(status, {check["name"]: check for check in found["checks"]}, said.out, found)

    def lines(self, key: str = KEY) -> list[str]:
        """A line for each check, and one for what it took."""
        return self._parts(key)[0].splitlines()

    def sample(self, key: str = KEY) -> list[str]:
        """The lines below: what was read."""
        return self._parts(key)[2].splitlines()

    def _parts(self, key: str) -> tuple[str, str, str]:
        self._monkeypatch.setenv("PETSTORE_API_KEY", key)
        main(["--data-dir", str(self.data), "doctor", "Shop"])
        return self._capsys.readouterr().out.partition("\n\n")
