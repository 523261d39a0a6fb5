"""minimums.json: whole or not at all, and set aside when it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import INT64_MAX
from petstore_desktop.store.minimums import read_minimums, write_minimums

SOME = Minimums({1: 0, INT64_MAX: 12}, {7: INT64_MAX}, {1: 9, "ab-7": INT64_MAX}, {8: 0})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "shop" / "minimums.json"
    assert read_minimums(path) == (Minimums(), None)
    write_minimums(path, SOME)
    assert read_minimums(path) == (SOME, None)
    assert {file.name for file in path.parent.iterdir()} == {"minimums.json", "files.lock"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"pets": {}}',
        '{"pets": {"x": 1}, "categories": {}}',
        '{"pets": {"1": 1.5}, "categories": {}}',
        "[" * 9999,
    ],
)
def test_a_damaged_file_is_set_aside_and_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "minimums.json"
    path.write_text(content, encoding="utf-8")
    found, aside = read_minimums(path)
    assert found == Minimums() and aside is not None
    assert aside.read_text(encoding="utf-8") == content and not path.exists()


def test_a_bad_value_costs_only_itself_and_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "minimums.json"
    content = '{"pets": {"1": 5, "x": 1, "2": -1, "3": [], "4": 1e3}, "categories": {"7": 2}}'
    path.write_text(content, encoding="utf-8")
    found, aside = read_minimums(path)
    assert found == Minimums({1: 5}, {7: 2})
    assert aside is not None and aside.read_text(encoding="utf-8") == content
    assert read_minimums(path) == (found, None)


def test_a_file_from_before_there_was_an_order_up_to_is_whole_and_a_bad_level_in_it_costs_only_itself(
    tmp_path: Path,
) -> None:
    path = tmp_path / "minimums.json"
    path.write_text('{"pets": {"1": 5}, "categories": {"7": 2}}', encoding="utf-8")
    assert read_minimums(path) == (Minimums({1: 5}, {7: 2}), None)
    more = '"pets_up_to": {"1": 9, "2": "9"}, "categories_up_to": {"7": 8}'
    path.write_text(f'{{"pets": {{}}, "categories": {{}}, {more}}}', encoding="utf-8")
    found, aside = read_minimums(path)
    assert found == Minimums({}, {}, {1: 9}, {7: 8})
    assert aside is not None and "pets_up_to" in aside.read_text(encoding="utf-8")
    assert read_minimums(path) == (found, None)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_minimums(tmp_path / "file" / "minimums.json", SOME)


def test_each_address_has_its_own_and_the_first_takes_over_what_an_earlier_version_kept(tmp_path: Path) -> None:
    places = Places(tmp_path)
    here, there = (places.minimums("shop", address) for address in ("https://here:443/v1", "https://there:443/v1"))
    write_minimums(here.with_name("minimums.json"), SOME)
    assert read_minimums(here) == (SOME, None)
    assert read_minimums(there) == (Minimums(), None)
    write_minimums(there, Minimums({1: 2}))
    assert read_minimums(here) == (SOME, None)
