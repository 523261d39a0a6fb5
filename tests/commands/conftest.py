"""Connections that `doctor` looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.clinic import Clinic


@pytest.fixture
def clinic(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Clinic:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return Clinic(tmp_path / "data", capsys, monkeypatch)
