"""A typed number of pieces is told from an id."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.receiving.typed_lines import typed_count
from petstore_desktop.domain.records import Ref, Resource


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6", (6, False)),
        ("0", (0, False)),
        ("+6", (6, True)),
        ("\u22122", (-2, True)),
        ("=12", (12, False)),
        ("120", (120, False)),
        ("1126", None),
        ("=1126", (1126, False)),
        ("1127", (1127, False)),
        ("#6", None),
        ("999999", (999_999, False)),
        ("4006381", None),
        ("koi", None),
        ("6 koi", None),
        ("", None),
    ],
)
def test_a_number_is_pieces_unless_it_is_a_long_id_of_a_pet(text: str, said: tuple[int, bool] | None) -> None:
    assert typed_count(text, True, lambda ref: ref == Ref(Resource.PETS, 1126)) == said
    assert typed_count(text, False, lambda _: False) is None, "with nothing in hand all is searched for"
