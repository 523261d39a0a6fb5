"""`doctor` and `sync` say that all is well only if they have asked, and if what they read can be used; they agree."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from petstore_desktop import credentials
from petstore_desktop.api.http.body import RECORD_CAP
from petstore_desktop.cli import main
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.checks_said import wrong_lines
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.checks import MOST_REQUESTS
from petstore_desktop.session.checking import Checking, Wanted
from tests.contract.documents import answer, document, list_of, ref
from tests.support.clinic import Clinic
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error, nine
from tests.support.shop import KEY

READS_ALONE = document(f"  /pets/{{petId}}: {{get: {{{answer(ref('Pet'))}}}}}")
WRITES_ALONE = document("  /pets/{petId}: {delete: {}}")


def sync(clinic: Clinic, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and what went to stderr."""
    status = main(["--data-dir", str(clinic.data), "sync", "Shop"])
    return status, capsys.readouterr().err


def file_with(folder: Path, data: bytes) -> str:
    (folder / "shop.yaml").write_bytes(data)
    return str(folder / "shop.yaml")


# ---------------------------------------------------------------- it always asks


@pytest.mark.parametrize("data", [READS_ALONE, WRITES_ALONE])
def test_with_a_document_without_lists_and_nothing_that_listens_nothing_is_well(
    data: bytes, clinic: Clinic, tmp_path: Path
) -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        clinic.connect(f"http://127.0.0.1:{one.getsockname()[1]}/v1", "--document", file_with(tmp_path, data))
        said = clinic.doctor()
    assert (said.status, said.wrong) == (1, ["address"])
    assert "Nothing listens" in said.cause()


def test_without_lists_a_record_is_asked_for_and_tells_of_the_key(
    clinic: Clinic, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def one_pet(asked: Asked) -> Reply:
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            return error(401, "unauthorized", "who are you?")
        return error(404, "not_found", "no such pet")

    with OddService(one_pet) as service:
        clinic.connect(service.url, "--document", file_with(tmp_path, READS_ALONE))
        said = clinic.doctor()
        assert (said.status, said.checks["key"]["said"]) == (0, "The service takes the key.")
        assert [asked.path for asked in service.asked] == ["/v1/pets/1"]
        assert clinic.doctor(key="another-key").wrong == ["key"]
        status, said_by_sync = sync(clinic, capsys)
        assert (status, "nothing was read: the service's document offers no list" in said_by_sync) == (1, True)


# ---------------------------------------------------------------- it judges what it read


def shop_of(records: Mapping[str, object]) -> Callable[[Asked], Reply]:
    lists = {"/v1/pets": "pets", "/v1/categories": "categories", "/v1/store/orders": "orders", "/v1/inventory": "stock"}
    return lambda asked: Reply(200, [records[lists[asked.path]]] * 3, LIMITS) if asked.path in lists else error(404)


UUID = "0b7c0a1e-8a52-4d8e-9f2b-6f2f4bd0a7c1"
NAMED: dict[str, Mapping[str, object]] = {
    "uuid": {
        "pets": {"id": UUID, "name": "Koi", "categoryId": UUID},
        "categories": {"id": UUID, "name": "Fish"},
        "orders": {"id": UUID, "petId": UUID, "quantity": 1},
        "stock": {"petId": UUID, "quantity": 3},
    },
    "_id": {
        "pets": {"_id": "65f0", "name": "Koi"},
        "categories": {"_id": "65f1", "name": "Fish"},
        "orders": {"_id": "65f2", "pet": "65f0"},
        "stock": {"_id": "65f3", "quantity": 2},
    },
}
STRANGE: dict[str, Mapping[str, object]] = {
    "json:api": {
        name: {"type": name, "attributes": {"name": "Koi"}} for name in ("pets", "categories", "orders", "stock")
    },
}


@pytest.mark.parametrize("name", NAMED)
def test_records_with_texts_for_ids_are_as_good_as_any(
    name: str, clinic: Clinic, capsys: pytest.CaptureFixture[str]
) -> None:
    with OddService(shop_of(NAMED[name])) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        status, told = sync(clinic, capsys)
    assert (said.status, said.wrong) == (0, [])
    assert (status, "could not be read" in told) == (0, False)


@pytest.mark.parametrize("name", STRANGE)
def test_records_of_which_none_can_be_used_are_not_well(
    name: str, clinic: Clinic, capsys: pytest.CaptureFixture[str]
) -> None:
    with OddService(shop_of(STRANGE[name])) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert len(service.asked) <= MOST_REQUESTS
        status, told = sync(clinic, capsys)
    assert (said.status, said.wrong) == (1, ["operations"])
    assert said.cause().startswith("No record of these lists can be used: pets, categories")
    assert "an id in each record" in said.checks["operations"]["advice"]
    assert (status, "no record can be used" in told) == (1, True)


SNAKE = {
    "pets": {"pet_id": 1, "pet_name": "Koi"},
    "categories": {"category_id": 1, "name": "Fish"},
    "orders": {"order_id": 1, "pet_id": 1, "ship_date": "2026-01-01"},
    "stock": {"pet_id": 1, "quantity": 2},
}


def test_records_with_fields_of_other_names_are_well(clinic: Clinic, capsys: pytest.CaptureFixture[str]) -> None:
    with OddService(shop_of(SNAKE)) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        status, told = sync(clinic, capsys)
    assert (said.status, said.wrong) == (0, [])
    assert (status, "no record can be used" in told) == (0, False)


def test_one_bad_record_at_the_beginning_is_no_bad_list(clinic: Clinic) -> None:
    good = [{"id": n, "name": "Koi", "petId": n, "quantity": 1} for n in range(1, 4)]

    def answer(asked: Asked) -> Reply:
        return Reply(200, [{"id": UUID, "petId": UUID}, *good], LIMITS) if nine(asked).status == 200 else error(404)

    with OddService(answer) as service:
        clinic.connect(service.url)
        assert clinic.doctor().wrong == []


# ---------------------------------------------------------------- what is only alike


def test_a_document_of_another_service_is_told_as_such_with_what_is_alike(
    clinic: Clinic, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = f"  /products: {{get: {{{answer(list_of('Category'))}}}}}\n  /plans: {{get: {{{answer(list_of('Pet'))}}}}}"
    data = document(paths).decode()

    def answers(asked: Asked) -> Reply:
        return Reply(200, data, LIMITS, "application/yaml") if asked.path == "/v1/openapi.yaml" else error(404)

    with OddService(answers) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert (said.status, said.wrong) == (1, ["operations"])
        words = said.checks["operations"]["said"]
        assert words.startswith("No path of the document names pets, categories, orders or stock")
        assert "GET /plans looks like pets, GET /products looks like categories, but only by its fields" in words
        assert "File > Operations" in said.checks["operations"]["advice"]
        status, told = sync(clinic, capsys)
        assert (status, "offers no list of pets" in told) == (1, True)
        assert {asked.path for asked in service.asked} <= {"/v1/openapi.json", "/openapi.json", "/v1/openapi.yaml"}


def test_a_list_that_is_only_alike_is_a_note_of_the_check_and_told_by_connect(
    clinic: Clinic,
) -> None:
    paths = f"  /pets: {{get: {{{answer(list_of('Pet'))}}}}}\n  /vets: {{get: {{{answer(list_of('Category'))}}}}}"
    data = document(paths).decode()

    def answers(asked: Asked) -> Reply:
        if asked.path == "/v1/openapi.yaml":
            return Reply(200, data, LIMITS, "application/yaml")
        return Reply(200, [], LIMITS) if asked.path == "/v1/pets" else error(404)

    words = "GET /vets looks like categories, but only by its fields: it is not used unless you choose it."
    with OddService(answers) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
        assert (said.status, said.wrong, said.noted) == (0, [], ["operations"])
        assert words in said.cause()
        assert "GET /v1/vets" not in {asked.path for asked in service.asked}
        outcome = Checking(Places(clinic.data), Wanted(service.url, KEY), SystemClock()).run()
    (line,) = wrong_lines(outcome.report)  # what connect prints
    assert words in line


# ---------------------------------------------------------------- a document that is too large


def padded(size: int) -> str:
    """A document of so many bytes."""
    data = {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {"/pets": {"get": {}}}, "x-pad": ""}
    data["x-pad"] = "x" * (size - len(json.dumps(data)))
    return json.dumps(data)


def test_a_document_just_past_the_bound_is_told_to_be_too_large(
    clinic: Clinic, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = [RECORD_CAP, RECORD_CAP + 1]

    def answers(asked: Asked) -> Reply:
        return Reply(200, padded(sizes[0]), LIMITS) if asked.path == "/v1/openapi.json" else nine(asked)

    with OddService(answers) as service:
        clinic.connect(service.url)
        assert clinic.doctor().checks["document"]["said"] == "The service publishes its OpenAPI document: Shop 1."
        del sizes[0]
        said = clinic.doctor()
        assert (said.status, said.wrong) == (1, ["document"])
        assert said.checks["document"]["said"] == (
            f"The OpenAPI document is larger than 8 MB, so it was not read: {service.url}/openapi.json."
        )
        assert "keep only the parts about pets" in said.checks["document"]["advice"]
        status, told = sync(clinic, capsys)
        words = f"the OpenAPI document is larger than 8 MB, so it was not read: {service.url}/openapi.json"
        assert (status, words in told) == (1, True)
        clinic.connect(service.url, "--document", f"{service.url}/openapi.json")
        assert "larger than 8 MB" in clinic.doctor().checks["document"]["said"]


# ---------------------------------------------------------------- no key, and none wanted


def test_a_service_that_wants_no_key_is_checked_without_a_keyring_as_it_is_read(
    clinic: Clinic, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_house = document(f"  /pets: {{get: {{{answer(list_of('Pet'))}}}}}", more="security: []")

    def answers(asked: Asked) -> Reply:
        assert "authorization" not in asked.headers
        return Reply(200, [], LIMITS) if asked.path == "/v1/pets" else error(404)

    monkeypatch.setattr(credentials, "ALLOWED", frozenset())
    with OddService(answers) as service:
        clinic.connect(service.url, "--document", file_with(tmp_path, open_house))
        said = clinic.doctor(key="")
        assert (said.status, said.wrong) == (0, [])
        assert said.checks["key"]["said"] == "The service answers without a key."
        assert sync(clinic, capsys) == (0, "")


PAGE = Reply(200, "<html><title>Welcome</title></html>", LIMITS, "text/html")


@pytest.mark.parametrize("everything", [error(404), PAGE])
def test_an_address_where_nothing_of_the_service_answers_is_not_called_ok(everything: Reply, clinic: Clinic) -> None:
    with OddService(lambda _: everything) as service:
        clinic.connect(service.url)
        said = clinic.doctor()
    assert (said.status, said.checks["address"]["ok"]) == (1, None)
    assert "nothing shows that it is the service" in said.checks["address"]["said"]


def test_the_address_is_not_called_ok_because_the_service_is_at_another_path(clinic: Clinic) -> None:
    with OddService(
        lambda asked: Reply(200, [], LIMITS) if asked.path == "/api/v1/store/orders" else error(404)
    ) as one:
        clinic.connect(one.url)
        said = clinic.doctor()
    assert (said.status, said.checks["address"]["ok"]) == (1, None)
    assert "/api/v1" in said.cause()


def test_a_service_whose_published_document_wants_no_key_is_checked_and_read_without_one(
    clinic: Clinic, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_house = document(f"  /pets: {{get: {{{answer(list_of('Pet'))}}}}}", more="security: []")

    def answers(asked: Asked) -> Reply:
        assert "authorization" not in asked.headers
        if asked.path == "/v1/openapi.yaml":
            return Reply(200, open_house.decode(), LIMITS)
        return Reply(200, [], LIMITS) if asked.path == "/v1/pets" else error(404)

    monkeypatch.setattr(credentials, "ALLOWED", frozenset())
    with OddService(answers) as service:
        clinic.connect(service.url)
        said = clinic.doctor(key="")
        assert (said.status, said.wrong) == (0, [])
        assert said.checks["key"]["said"] == "The service answers without a key."
        assert sync(clinic, capsys) == (0, "")


# ---------------------------------------------------------------- the file of pauses


@pytest.mark.parametrize(("left", "word"), [(b"garbage " * 1000, "was damaged"), (b"", "is gone")])
def test_a_file_of_pauses_that_was_damaged_or_is_gone_is_told(
    left: bytes, word: str, clinic: Clinic, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PETSTORE_API_KEY", KEY)
    with OddService(nine) as service:
        clinic.connect(service.url)
        for command in ("doctor", "sync"):
            clinic.doctor()
            Places(clinic.data).gates.write_bytes(left)
            main(["--data-dir", str(clinic.data), command, "Shop"])
            said = capsys.readouterr().err
            assert "the file of pauses and request counts" in said and word in said
