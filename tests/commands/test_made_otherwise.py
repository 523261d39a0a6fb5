"""A command whose record was made with other values than were sent has not done what it was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.cli import main
from tests.support.clinic import Clinic
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, nine
from tests.support.shop import KEY


def test_an_import_whose_pet_was_made_with_another_name_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.method == "POST":
            return Reply(201, {"id": 99, "name": "Somebody else", "categoryId": 1, "status": "available"}, LIMITS)
        return Reply(200, [{"id": 1, "name": "Fish"}], LIMITS) if asked.path == "/v1/categories" else nine(asked)

    file = tmp_path / "pets.csv"
    file.write_text("name,category_id,status\nKoi,1,available\n", encoding="utf-8")
    with OddService(answer) as service:
        Clinic(tmp_path / "data", capsys, monkeypatch).connect(service.url)
        monkeypatch.setenv("PETSTORE_API_KEY", KEY)
        shop = ["--data-dir", str(tmp_path / "data")]
        assert main([*shop, "sync", "Shop"]) == 0
        capsys.readouterr()
        code = main([*shop, "import", "Shop", "pets", str(file), "--yes"])
    said = capsys.readouterr()
    assert (code, "other values" in said.err) == (1, True), said
    assert "Try again" not in said.err
    assert "Compare the record with what you wanted, and change it where needed" in said.err
    assert sum(asked.method == "POST" for asked in service.asked) == 1
