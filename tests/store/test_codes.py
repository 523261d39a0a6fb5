"""codes.json: whole or not at all, and set aside when it is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.store.codes import export_codes, import_codes, read_codes, write_codes

SOME = Codes({"4006381333931": (1126,), "ß-7": (3, "ord_7", "007")})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "shop" / "codes.json"
    assert read_codes(path) == (Codes(), None)
    for codes in (SOME, Codes()):
        write_codes(path, codes)
        assert read_codes(path) == (codes, None)
    assert {file.name for file in path.parent.iterdir()} == {"codes.json", "files.lock"}


@pytest.mark.parametrize(
    "content", ["", "[]", '{"codes": []}', '{"codes": {"1": []}}', '{"codes": {"1": 7}}', "[" * 9999]
)
def test_a_damaged_file_is_set_aside_and_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "codes.json"
    path.write_text(content, encoding="utf-8")
    found, aside = read_codes(path)
    assert found == Codes() and aside is not None
    assert aside.read_text(encoding="utf-8") == content and not path.exists()


def test_a_bad_code_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "codes.json"
    content = '{"codes": {"4006381333931": ["7", "local:1", 8], " 5 ": ["7"], "6": ["text:x"], "": ["1"]}}'
    path.write_text(content, encoding="utf-8")
    found, aside = read_codes(path)
    assert found == Codes({"4006381333931": (7,), "6": ("x",)})
    assert aside is not None and aside.read_text(encoding="utf-8") == content
    assert read_codes(path) == (found, None)


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_codes(tmp_path / "file" / "codes.json", SOME)


def test_each_address_has_its_own_codes(tmp_path: Path) -> None:
    places = Places(tmp_path)
    here, there = (places.codes("shop", address) for address in ("https://here:443/v1", "https://there:443/v1"))
    write_codes(here, SOME)
    assert read_codes(there) == (Codes(), None)
    assert read_codes(here) == (SOME, None)


def test_what_is_exported_is_imported_and_another_file_is_refused(tmp_path: Path) -> None:
    path, other = tmp_path / "out.json", tmp_path / "other.json"
    export_codes(path, SOME)
    assert import_codes(path) == SOME
    for content in (b"", b'{"codes": {"1": ["2"]}}', b"\xff\xfe", b"[" * 9999, b"%PDF-1.7"):
        other.write_bytes(content)
        with pytest.raises(BadInput, match="not-codes"):
            import_codes(other)
    with pytest.raises(StorageError):
        import_codes(tmp_path / "none.json")
