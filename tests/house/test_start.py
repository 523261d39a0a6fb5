"""The window is painted before anything slow is imported."""

from __future__ import annotations

from pathlib import Path

from tests.house.trees import ROOT, python
from tests.support import first_paint
from tests.support.shop import Shop


def test_the_welcome_page_waits_for_nothing_slow(tmp_path: Path) -> None:
    found = first_paint.complaints(first_paint.modules(ROOT, "--data-dir", str(tmp_path)))
    assert found == [], "\n".join(found)


def test_a_known_shop_waits_for_nothing_slow(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    with Shop(tmp_path / "shop", plan="unlimited") as shop:
        key = {"PETSTORE_API_KEY": shop.key}
        for command in (["connect", "shop", "--url", shop.url], ["sync", "shop"]):
            done = python(ROOT, "-m", "petstore_desktop", *data, *command, **key)
            assert done.returncode == 0, done.stderr
        loaded = first_paint.modules(ROOT, *data, "--connection", "shop", **key)
    found = first_paint.complaints(loaded)
    assert found == [], "\n".join(found)
