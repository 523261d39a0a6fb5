"""What letters a file has that does not say its encoding: it is asked where more than one answer makes sense."""

from __future__ import annotations

from dataclasses import replace

import pytest

from petstore_desktop.desk.desk import Desk
from tests.desk.imports.test_importing import laid, said, sheet
from tests.desk.shopkit import small_shop


@pytest.fixture
def desk() -> Desk:
    return small_shop()


@pytest.mark.parametrize("encoding", ["windows-1251", "windows-1254", "windows-1256", "cp874", "shift_jis", "gb18030"])
def test_a_text_in_another_encoding_is_never_written_as_it_happens_to_be_read(desk: Desk, encoding: str) -> None:
    names = {"windows-1251": "Кот", "windows-1254": "Kırmızı", "windows-1256": "قط", "cp874": "ปลา"}
    read = names.get(encoding, "金魚").encode(encoding).decode("windows-1252", "replace")
    file = replace(sheet(("name", "status"), (read, "sold")), guessed=True)
    made = laid(desk, file)
    assert said(made) == ["encoding-unsure"] and made.formats.unsure == {"encoding"}


def test_western_letters_need_no_question(desk: Desk) -> None:
    for name in ("Müsli", "Käfer, größe", "Coração", "Garçon’s – été", "Æble, ørred", "Jalapeño"):
        file = replace(sheet(("name", "status"), (name, "sold")), guessed=True)
        assert said(laid(desk, file)) == ["category-missing"], name
    for name in ("MÃ¼sli KÃ¤fer", "Ktoœ z b³¹d", "°ßÐØ²ÝÈ¸"):
        file = replace(sheet(("name", "status"), (name, "sold")), guessed=True)
        assert said(laid(desk, file)) == ["encoding-unsure"], name
