"""What the labels of pets say, as the shop is when they are first looked at."""

from __future__ import annotations

from petstore_desktop.desk.labels.labels import LabelTexts
from petstore_desktop.domain.changes import Create
from petstore_desktop.domain.codes import key_of_label
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.desk.shopkit import Journal, small_shop


def test_a_label_says_name_id_and_category_and_holds_the_id() -> None:
    koi, snake, gone = LabelTexts(small_shop().shop, (1234, 1129, 7))
    assert (koi.name, koi.id, koi.category) == ("Koi", "1234", "Fish")
    assert key_of_label(koi.code) == 1234
    assert (snake.name, snake.category) == ("Corn snake", ""), "its category is not there"
    assert (gone.name, gone.id) == ("", "7"), "stock without a pet has a label too"


def test_each_pet_once_and_one_that_is_not_sent_has_no_code() -> None:
    desk, new = small_shop(), LocalId.new()
    fields = {"name": "Guppy", "category_id": 1, "status": "available"}
    Journal(desk).act(Ref(Resource.PETS, new), Create(fields))
    texts = LabelTexts(desk.shop, (1234, new, 1234))
    assert [text.name for text in texts[:]] == ["Koi", "Guppy"]
    assert texts[1].code == "" and texts[1].id == "" and texts[1].category == "Fish"


def test_only_what_is_looked_at_is_read() -> None:
    texts = LabelTexts(small_shop().shop, range(10**6, 10**6 + 200_000))
    assert len(texts) == 200_000
    assert texts[-1] is texts[199_999], "and is made once"
