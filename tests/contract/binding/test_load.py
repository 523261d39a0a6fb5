from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path

import pytest

from petstore_desktop import resources
from petstore_desktop.contract.binding.load import default, load, load_file
from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.profile.writing import text_of
from petstore_desktop.domain.errors import DocumentUnusable
from tests.support.patience import PATIENCE_S


def test_json_and_yaml_are_read_with_or_without_a_byte_order_mark() -> None:
    assert parse(b'{"openapi": "3.0.3"}') == {"openapi": "3.0.3"}
    assert parse(b'\xef\xbb\xbf{"openapi": "3.0.3"}') == {"openapi": "3.0.3"}
    assert parse(b"openapi: 3.0.3\n") == {"openapi": "3.0.3"}


def test_unquoted_dates_and_statuses_of_yaml_are_tolerated() -> None:
    data = b"openapi: 3.0.3\nx-sunset: 2027-06-30\npaths: {/pets: {get: {x-sunset: 2027-06-30, responses: {200: {}}}}}"
    assert parse(data)["x-sunset"] == datetime.date(2027, 6, 30)
    assert load(data, source="chosen").operations[Op.PETS_LIST].sunset == "2027-06-30"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff\xfe", "document-unreadable"),
        (b"a: [", "document-unreadable"),
        (b"!!python/object/apply:os.getcwd []", "document-unreadable"),
        (b"[1, 2]", "document-not-an-object"),
        (b"<!doctype html><p>Hello", "document-not-an-object"),
        (b"", "document-not-an-object"),
        (b"[" * 100_000, "document-unreadable"),
    ],
)
def test_what_is_no_document_is_refused_in_words(data: bytes, code: str) -> None:
    with pytest.raises(DocumentUnusable) as caught:
        parse(data)
    assert caught.value.code == code


def test_yaml_is_loaded_only_for_yaml_and_nothing_heavy_for_the_cache() -> None:
    script = (
        "import sys; from petstore_desktop.contract import cache; "
        "from petstore_desktop.contract.binding import load; load.parse(b'{}'); "
        "assert not {'yaml', 'pydantic', 'httpx', 'asyncio'} & sys.modules.keys(), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=PATIENCE_S)


def test_the_digest_is_of_the_bytes() -> None:
    one = load(b'{"openapi":"3.0.3","paths":{"/pets":{"get":{}}}}', source="chosen")
    two = load(b'{"openapi":"3.0.3", "paths":{"/pets":{"get":{}}}}', source="chosen")
    assert one.digest != two.digest
    assert one.operations == two.operations


@pytest.mark.parametrize("renamed", [False, True])
def test_a_service_of_which_one_write_is_as_in_the_specification_is_not_known_by_it(*, renamed: bool) -> None:
    """`POST /pets` is asked like this by many."""
    document = json.loads(resources.path("openapi", "full.json").read_bytes())
    if renamed:
        paths = document["paths"]
        document["paths"] = {path.replace("/inventory", "/stock"): said for path, said in paths.items()}
    contract = load(json.dumps(document).encode(), source="published")
    assert contract.is_known(contract.operations[Op.PET_CREATE]) is not renamed
    assert bool(contract.unproven(contract.operations[Op.PET_CREATE], {"name": "Koi"})) is renamed


def test_no_service_is_known_by_a_profile(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(text_of(default()), encoding="utf-8")
    contract = load_file(str(file))
    assert not contract.is_known(contract.operations[Op.PET_CREATE])
