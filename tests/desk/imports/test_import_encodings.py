"""The characters of a file that does not say its encoding: it is asked where more than one answer makes sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from tests.desk.imports.test_importing import laid, said
from tests.desk.shopkit import small_shop


@pytest.fixture
def desk() -> Desk:
    return small_shop()


def outcome(desk: Desk, folder: Path, data: bytes, encoding: str = "") -> str:
    path = folder / "pets.csv"
    path.write_bytes(b"name,status\n" + data + b",sold\n")
    (found,) = said(laid(desk, read_sheet(path, SheetOptions(encoding), lambda _: None)))
    return found


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("windows-1251", "Кот"),
        ("windows-1254", "Kırmızı"),
        ("windows-1256", "قط"),
        ("windows-1250", "Ktoś z błąd"),
        ("cp874", "ปลา"),
        ("shift_jis", "さくら"),
        ("gb18030", "斑胸草雀"),
        ("big5", "金魚"),
    ],
)
def test_a_text_in_another_encoding_is_never_written_as_it_happens_to_be_read(
    desk: Desk, tmp_path: Path, encoding: str, name: str
) -> None:
    assert outcome(desk, tmp_path, name.encode(encoding)) == "encoding-unsure"
    assert outcome(desk, tmp_path, name.encode(encoding), encoding) == "category-missing"


def test_western_letters_need_no_question_unless_the_file_is_mixed(desk: Desk, tmp_path: Path) -> None:
    for name in ("Müsli", "Käfer größe", "Coração", "Garçon’s – été", "Æble ørred", "Jalapeño"):
        assert outcome(desk, tmp_path, name.encode("windows-1252")) == "category-missing", name
    assert outcome(desk, tmp_path, "Müsli Käfer ".encode() + "Café".encode("windows-1252")) == "encoding-unsure"
