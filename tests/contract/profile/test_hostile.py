"""What cannot be meant is refused by its place and in words; nothing of it is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.contract.binding.load import default, load_file
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.profile.reading import MOST_BYTES, contract_of
from petstore_desktop.contract.profile.values import LARGEST_PAGE, MOST_ENTRIES, MOST_LETTERS
from petstore_desktop.contract.profile.writing import text_of
from petstore_desktop.domain.errors import DocumentUnusable

PETS = '[pets]\nlist = "GET /pets"\n'
STOCK = "[inventory]\nfields = { quantity = 'count' }\n[inventory.change]\ncall = 'PUT /stock/{id}'\n"
CHANGE = "[pets.change]\ncall = 'PATCH /pets/{id}'\n"


def where(words: str) -> str:
    """The place that is refused."""
    with pytest.raises(DocumentUnusable) as refused:
        contract_of(words.encode())
    assert refused.value.code == "profile-unusable"
    assert str(refused.value.params["why"]) in sentence(refused.value)
    return str(refused.value.params["where"])


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ("", "file"),  # it names no operation
        ("colour = 'red'\n" + PETS, "colour"),
        (PETS + "fly = 'GET /pets'", "pets.fly"),
        ("[pets]\nlist = 7", "pets.list"),
        ("[pets]\nlist = 'POST /pets'", "pets.list"),
        ("[pets]\nlist = 'GET /pets/{id}'", "pets.list"),
        ("[pets]\nread = 'GET /pets'", "pets.read"),
        ("[pets]\nread = 'GET /pets/{id}/{other}'", "pets.read"),
        ("[pets]\nread = 'GET /pets/x{id}'", "pets.read"),
        ("[pets]\nlist = 'GET https://elsewhere.example/pets'", "pets.list"),
        ("[pets]\nlist = 'GET //elsewhere.example/pets'", "pets.list"),
        ("[pets]\nlist = 'GET /../pets'", "pets.list"),
        ("[pets]\nlist = 'GET /pets?all=1'", "pets.list"),
        ("[pets]\nlist = \"GET /pets\\r\\nX: 1\"", "pets.list"),
        ("[inventory]\ncreate = 'POST /stock'", "inventory.create"),
        (PETS + "[pets.change]\nwhole = true", "pets.change"),
        (PETS + "[pets.change]\ncall = 'PUT /pets'", "pets.change.call"),
        (PETS + CHANGE + "whole = 'yes'", "pets.change"),
        (PETS + CHANGE + "body = ['name: colour']", "pets.change"),
        (PETS + CHANGE + "body = 'name'", "pets.change"),
        (PETS + CHANGE + "at = { colour = 'x' }", "pets.change"),
        (PETS + CHANGE + "at = { name = 'x..y' }", "pets.change"),
        (PETS + CHANGE + "unsure = ['colour']", "pets.change"),
        (PETS + CHANGE + "fills = '[]'", "pets.change"),
        (PETS + CHANGE + "fills = '" + "[" * 900 + "'", "pets.change"),
        (PETS + CHANGE + "media = 'text/html'", "pets.change"),
        (PETS + CHANGE + "media = \"application/json;\\n\"", "pets.change"),
        (PETS + CHANGE + "with_headers = { Host = 'x' }", "pets.change"),
        (PETS + CHANGE + "with_headers = { X-Shop = \"a\\nb\" }", "pets.change"),
        (PETS + CHANGE + "stability = 'rock'", "pets.change"),
        (PETS + CHANGE + "sunset = 'tomorrow'", "pets.change"),
        (PETS + CHANGE + "server = 'https://elsewhere.example'", "pets.change"),
        (STOCK + "body = ['cnt: integer']", "inventory.change"),
        (STOCK + "body = ['count: integer']\nat = { quantity = 'cnt' }", "inventory.change"),
        (PETS + "[pets.create]\ncall = 'POST /pets'\nbody = ['title: string']", "pets.create"),
        (PETS + "fields = { colour = 'x' }", "pets.fields"),
        (PETS + "unsure = 'name'", "pets.unsure"),
        (PETS + "statuses = [1]", "pets.statuses"),
        ("key = { header = 'Connection' }\n" + PETS, "key"),
        ("key = { header = 'Content-Length' }\n" + PETS, "key"),
        ("key = { header = 'X-Key', prefix = \"a\\nb\" }\n" + PETS, "key"),
        ("key = 'Bearer'\n" + PETS, "key"),
        ("beside = 7\n" + PETS, "beside"),
        ("keys = [{ place = 'cookie' }]\n" + PETS, "keys"),
        ("keys = [{ colour = 'red' }]\n" + PETS, "keys"),
        ("within = 'shops'\n" + PETS, "within"),
        ("lists = { page = 0 }\n" + PETS, "pets.list"),
        ("lists = { page = true }\n" + PETS, "pets.list"),
        ("lists = { colour = 1 }\n" + PETS, "lists.colour"),
        ("lists = { query = ['size'], first_page = 1 }\n" + PETS, "pets.list"),
        ("pets = 7", "pets"),
        ("title = 2026-01-01\n" + PETS, "title"),
        ("[categories.list]\nfrom_pets = 'category'", "categories.list.from_pets"),
        ("[orders.list]\ncall = 'GET /orders'\nfrom_pets = 'category'", "orders.list.from_pets"),
        ("[counts]\ncall = 'DELETE /pets'\n" + PETS, "counts"),
        ("[pets", "file"),
        ("x = " + "[" * 50_000, "file"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_by_its_place(more: str, place: str) -> None:
    assert where(f"profile = 1\n{more}") == place


@pytest.mark.parametrize("head", ["", "profile = 2\n", "profile = true\n", "profile = '1'\n"])
def test_another_format_is_refused(head: str) -> None:
    assert where(head + PETS) == "profile"


def test_each_bound_holds_just_past_it() -> None:
    whole = "profile = 1\n" + PETS
    fits = whole + "#" * (MOST_BYTES - len(whole))
    assert contract_of(fits.encode()).operations.keys() == {Op.PETS_LIST}
    assert where(fits + "#") == "file"
    for count, refused in ((MOST_ENTRIES, ""), (MOST_ENTRIES + 1, "pets.list")):
        words = f"profile = 1\nlists = {{ query = {['a'] * count} }}\n{PETS}"
        assert (where(words) if refused else "") == refused
        assert refused or contract_of(words.encode())
    for count, refused in ((MOST_LETTERS, ""), (MOST_LETTERS + 1, "title")):
        words = f"profile = 1\ntitle = '{'a' * count}'\n{PETS}"
        assert (where(words) if refused else "") == refused
        assert refused or contract_of(words.encode())
    for page, refused in ((LARGEST_PAGE, ""), (LARGEST_PAGE + 1, "pets.list")):
        words = f"profile = 1\nlists = {{ query = ['limit'], page = {page} }}\n{PETS}"
        assert (where(words) if refused else "") == refused
        assert refused or contract_of(words.encode())
    for count, refused in ((50, ""), (51, "beside")):
        placements = ", ".join(["{ query = 'k' }"] * count)
        words = f"profile = 1\nbeside = [{placements}]\n{PETS}"
        assert (where(words) if refused else "") == refused
        assert refused or contract_of(words.encode())


def test_a_file_that_is_none_says_so(tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    for data, code in ((None, "document-missing"), (b"\xff\xfe", "profile-unusable"), (b"", "profile-unusable")):
        if data is not None:
            file.write_bytes(data)
        with pytest.raises(DocumentUnusable) as refused:
            load_file(str(file))
        assert refused.value.code == code
        assert sentence(refused.value)
    for words in (text_of(default()), "\ufeff" + text_of(default()).replace("\n", "\r\n")):
        file.write_bytes(words.encode())
        assert load_file(str(file)).operations == contract_of(text_of(default()).encode()).operations


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("[orders]\nfields = { petId = 'p' }\n[orders.create]\ncall = 'POST /orders'\nbody = ['petId: integer']",
         "line 5: 'petId' is none of id, pet_id, "),
        (CHANGE + "body = ['name: colour']", "line 6: body: 'colour' is none of string, "),
        (CHANGE + "unsure = [\n  'name',\n  'colour',\n]", "line 8: unsure: 'colour' is none of id, name, "),
        ("fly = 'GET /fly'\n[orders]\nfly = 'GET /fly'", "line 4: nothing is called so"),
        (CHANGE + "at = { colour = 'x', name = 'colour = 1' }\n# colour = red", "at: 'colour' is none of id, name, "),
    ],
)  # fmt: skip
def test_the_word_is_named_and_its_line_where_that_is_sure(more: str, why: str) -> None:
    with pytest.raises(DocumentUnusable) as refused:
        contract_of(f"profile = 1\n{PETS}{more}".encode())
    assert str(refused.value.params["why"]).startswith(why)
