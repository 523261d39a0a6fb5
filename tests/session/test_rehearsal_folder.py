"""The folder of a rehearsal: what goes into it, what never does, and what is handed back."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop import log
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan, RehearsalScene
from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetFields
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import ContentId, LocalId, Order, Pet, Ref, Resource, Row
from petstore_desktop.preferences import Preferences, ShopConnection
from petstore_desktop.session.rehearsal_folder import (
    SLUG,
    RehearsalFolder,
    clean_environment,
    folders,
    make_folder,
    read_kept,
    read_made,
    remove_leftovers,
    write_kept,
    write_records,
)
from petstore_desktop.store.mirror.mirror import Mirror

ADDRESS = "https://shop.example/v1"
CONNECTION = ShopConnection("Zoo", "zoo", ADDRESS, colour="#123456")
PLAN = RehearsalPlan(60, None, RehearsalScene.SLOW)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    places = Places(tmp_path)
    places.connection("zoo").mkdir(parents=True)
    mirror = Mirror(places.mirror("zoo"))
    mirror.belong_to(ADDRESS, emptied=False)
    pets = [
        Row(7, Pet(7, "Koi", "cat 1", "IN_STOCK", {"tags": [1, None], "status": None}), 5.0, '"their-tag"'),
        Row("a/b", Pet("a/b", "", None, None), 5.0),
    ]
    mirror.put(Resource.PETS, pets, mirror.begin_read())
    mirror.put(Resource.ORDERS, [Row(ContentId("d" * 8), Order(None, 7, -3), 5.0)], mirror.begin_read())
    mirror.close()
    return places


def made(places: Places) -> RehearsalFolder:
    return make_folder(
        places, CONNECTION, ADDRESS, None, PLAN, Preferences(connections=(CONNECTION,), window={"zoo": {"tab": 1}})
    )


def test_rows_and_looks_go_into_it_and_neither_address_nor_connections(places: Places) -> None:
    folder = made(places)
    said = read_made(folder)
    assert (said.shop, said.slug, said.data, said.plan, said.colour) == ("Zoo", "zoo", places.data, PLAN, "#123456")
    assert (said.slashed, said.text_ids, said.rules["statuses"]) == (1, True, ["IN_STOCK"])
    known = write_records(folder, said.rules)
    assert known[Resource.PETS] == {7, "a/b"}
    lines = folder.records.read_text().splitlines()
    assert lines[1:] == [
        '["pets", {"status": "IN_STOCK", "tags": [1, null], "id": 7, "name": "Koi", "categoryId": "cat 1"}]',
        '["pets", {"id": "a/b", "name": ""}]',
        '["orders", {"petId": 7, "quantity": -3}]',
    ]
    for file in (one for one in folder.path.rglob("*") if one.is_file()):
        assert b"shop.example" not in file.read_bytes(), file
        assert b"their-tag" not in file.read_bytes(), file
    assert folder.places.journal(SLUG).exists()


def test_what_is_kept_comes_back_whole_and_leftovers_go(places: Places) -> None:
    local = LocalId("e" * 32)
    changes = (
        NewChange(Ref(Resource.PETS, local), Create({"name": "Goldfish", "category_id": "cat 1"})),
        NewChange(Ref(Resource.INVENTORY, local), AddStock(5)),
        NewChange(Ref(Resource.PETS, "a/b"), SetFields({"name": "\ud800 \u2068x"}), {"name": ""}),
    )
    kept, left = made(places), made(places)
    write_kept(kept, changes, 3, 8.0)
    remove_leftovers(places, "zoo", {left.path})
    assert left.path.exists()
    remove_leftovers(places, "zoo")
    assert folders(places, "zoo") == [kept]
    assert not left.path.exists()
    assert read_kept(places, "zoo", "https://another.example") == []
    (found,) = read_kept(places, "zoo", ADDRESS)
    assert (found.changes, found.left_out, found.at, found.folder) == (changes, 3, 8.0, kept)
    kept.kept.write_text("{")
    with pytest.raises(StorageError, match="damaged"):
        read_kept(places, "zoo", ADDRESS)
    another = made(places)
    write_kept(another, changes, 0, 9.0)
    assert [one.folder for one in read_kept(places, "zoo", ADDRESS)] == [another]


def test_the_environment_has_neither_key_nor_proxies_nor_address() -> None:
    secret = log.keep_secret("a-secret-of-the-shop-1234567")
    given = {
        "PETSTORE_API_KEY": "anything",
        "HTTPS_PROXY": "http://proxy",
        "all_proxy": "socks5://proxy",
        "NOTE": f"the key is {secret}",
        "PLACE": "shop.example is mine",
        "LANG": "de",
    }
    assert clean_environment(given, ("shop.example", "")) == {"LANG": "de", "NO_PROXY": "*"}
