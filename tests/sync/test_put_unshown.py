"""A change of a whole record to a service that has fields which it takes and never shows."""

from __future__ import annotations

from pathlib import Path

import yaml

from petstore_desktop.domain.changes import ChangeState, NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from tests.support.other_shop import OtherShop
from tests.support.other_shop_ways import Ways
from tests.support.session import Watched


def test_a_put_empties_nothing_that_no_answer_shows(tmp_path: Path) -> None:
    with OtherShop(Ways(change="PUT", ids="number", paging="all")) as shop:
        document = yaml.safe_load(shop.document)
        document["paths"]["/animals/{animalId}"]["put"]["requestBody"]["content"]["application/json"]["schema"] = {
            "type": "object",
            "properties": {"name": {"type": "string"}, "internalNote": {"type": "string", "writeOnly": True}},
        }
        shop.document = yaml.safe_dump(document).encode()
        with Watched(tmp_path, url=shop.url, key=shop.key) as desk:
            desk.wait_loaded(Resource.PETS)
            before = dict(shop.books.held["animals"][1_005])
            ids = desk.apply(NewChange(Ref(Resource.PETS, 1_005), SetFields({"name": "Rex"}), {"name": before["name"]}))
            desk.wait_for(ids, ChangeState.REFUSED)
            reason = desk.changes[ids[0]].reason
            assert reason is not None
            assert (reason.code, reason.message) == ("list-shows-less", "internalNote")
            assert shop.books.held["animals"][1_005] == before
