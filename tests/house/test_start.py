"""The window is painted before anything slow is imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from petstore_desktop.preferences import PreferenceStore
from tests.house.trees import ROOT, python
from tests.support import first_paint
from tests.support.shop import Shop

MODULES_ON_TODAY = 130
"""Modules of ours that a start on Today may load before its first paint."""


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
        today = first_paint.modules(ROOT, *data, "--connection", "shop", **key)
        store = PreferenceStore(tmp_path / "data" / "preferences.json")
        store.save(replace(store.load(), unknown={"todayFirst": "off"}))
        loaded = first_paint.modules(ROOT, *data, "--connection", "shop", **key)
    assert not [name for name in loaded if ".today" in name], "a start on a list does without Today"
    found = [*first_paint.complaints(loaded), *first_paint.complaints(today, MODULES_ON_TODAY)]
    assert found == [], "\n".join(found)
