from __future__ import annotations

import pytest

from petstore_desktop.contract.cache import from_json, to_json
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.contract.operations import Op
from tests.contract.documents import bound

BEARER = KeyPlacement()


def placed(schemes: str, more: str = "") -> KeyPlacement:
    """Where the key goes by these schemes."""
    return bound("  /pets: {get: {}}", f"components: {{securitySchemes: {{{schemes}}}}}", more=more).key


@pytest.mark.parametrize(
    ("scheme", "placement"),
    [
        ("{type: http, scheme: bearer}", BEARER),
        ("{type: http, scheme: Basic}", KeyPlacement(prefix="Basic ", basic=True)),
        ("{type: http, scheme: Token}", KeyPlacement(prefix="Token ")),
        ("{type: apiKey, in: header, name: X-Key}", KeyPlacement(KeyPlace.HEADER, "X-Key", "")),
        (
            "{type: apiKey, in: header, name: Authorization, x-prefix: ApiKey}",
            KeyPlacement(KeyPlace.HEADER, "Authorization", "ApiKey "),
        ),
        (
            "{type: apiKey, in: header, name: Authorization, description: 'A key with required prefix \"Token\"'}",
            KeyPlacement(KeyPlace.HEADER, "Authorization", "Token "),
        ),
        ("{type: apiKey, in: query, name: api_key}", KeyPlacement(KeyPlace.QUERY, "api_key", "")),
        ("{type: apiKey, in: cookie, name: sid}", KeyPlacement(KeyPlace.HEADER, "Cookie", "sid=")),
        ("{type: oauth2, flows: {}}", BEARER),
    ],
)
def test_each_scheme_has_its_place(scheme: str, placement: KeyPlacement) -> None:
    assert placed(f"one: {scheme}") == placement


def test_the_required_scheme_is_taken_of_several() -> None:
    two = "a: {type: http, scheme: bearer}, b: {type: apiKey, in: header, name: X-Key}"
    assert placed(two, "security: [{b: []}]").name == "X-Key"
    assert placed(two) == BEARER


def test_a_scheme_that_cannot_be_used_is_passed_over() -> None:
    assert placed("a: {type: mutualTLS}, b: {type: apiKey, in: header, name: X-Key}").name == "X-Key"


@pytest.mark.parametrize("name", ["If-Match", "Accept", "User-Agent", "Range", "X-HTTP-Method-Override"])
def test_no_key_travels_in_a_header_that_says_how_a_request_is_made(name: str) -> None:
    two = f"a: {{type: apiKey, in: header, name: {name}}}, b: {{type: apiKey, in: header, name: X-Key}}"
    assert placed(two).name == "X-Key"


def test_without_any_scheme_the_key_is_sent_as_bearer_unless_nothing_is_wanted() -> None:
    assert bound("  /pets: {get: {}}").key == BEARER
    assert bound("  /pets: {get: {}}", more="security: []").key.place is KeyPlace.NONE


def schemes_of(paths: str, more: str = "") -> dict[str, str]:
    """The scheme of each operation that wants another than the main one."""
    schemes = (
        "components: {securitySchemes: {main: {type: http, scheme: bearer}, two: {type: apiKey, in: header, name: X}}}"
    )
    return {str(op): scheme for op, scheme in bound(paths, schemes, more=more).schemes.items()}


def test_an_operation_with_a_scheme_of_its_own_says_so() -> None:
    paths = (
        "  /pets: {get: {}, post: {security: [{two: []}]}}\n  /store/orders: {get: {security: [{two: [], main: []}]}}"
    )
    assert schemes_of(paths, "security: [{main: []}]") == {"pets.create": "two", "orders.list": "main, two"}


def test_an_operation_that_wants_no_key_is_none_of_the_main_schemes() -> None:
    assert schemes_of("  /pets: {get: {security: []}, post: {}}", "security: [{main: []}]") == {"pets.list": "none"}


def test_where_only_operations_name_schemes_the_first_that_can_be_used_is_the_main_one() -> None:
    paths = "  /pets: {get: {security: [{two: []}]}, post: {security: [{main: []}]}}"
    assert schemes_of(paths) == {"pets.create": "main"}


KEYS = (
    "components: {securitySchemes: {app: {type: apiKey, in: header, name: X-App-Id},"
    " key: {type: apiKey, in: header, name: X-Api-Key}, sid: {type: apiKey, in: cookie, name: sid},"
    " sign: {type: oauth2, flows: {}}, bad: {type: mutualTLS}}}"
)
APP, KEY = KeyPlacement(KeyPlace.HEADER, "X-App-Id", ""), KeyPlacement(KeyPlace.HEADER, "X-Api-Key", "", scheme="key")


def test_of_several_schemes_in_one_requirement_each_has_its_key() -> None:
    contract = bound("  /pets: {get: {}, post: {security: [{key: []}]}}", KEYS, more="security: [{app: [], key: []}]")
    assert (contract.key, contract.beside) == (APP, (KEY,))
    assert [(key.scheme, key.name, key.token) for key in contract.keys] == [("", "app", False), ("key", "key", False)]
    assert contract.sent(Op.PETS_LIST) == contract.sent(None) == (APP, KEY)
    assert contract.sent(Op.PET_CREATE) == (KEY,)
    assert contract.schemes == {Op.PET_CREATE: "key"}


def test_of_several_requirements_the_keys_that_are_sent_anyway_are_taken() -> None:
    paths = "  /pets: {get: {security: [{key: []}, {app: []}]}, post: {security: [{bad: []}, {key: []}]}}"
    contract = bound(paths, KEYS, more="security: [{app: []}]")
    assert contract.sent(Op.PETS_LIST) == (APP,)
    assert contract.sent(Op.PET_CREATE) == (KEY,)


def test_of_alternatives_the_one_that_most_operations_accept_is_the_main_one() -> None:
    paths = (
        "  /pets/{petId}: {get: {security: [{key: []}]}, delete: {security: [{app: []}]}}\n"
        "  /pets: {get: {security: [{key: []}, {app: []}]}, post: {security: [{bad: []}, {app: []}]}}"
    )
    contract = bound(paths, KEYS)
    assert contract.key == APP
    assert contract.schemes == {Op.PET_READ: "key"}
    contract = bound("  /pets: {get: {}, post: {security: [{app: []}]}}", KEYS, more="security: [{key: []}, {app: []}]")
    assert (contract.key, contract.schemes) == (APP, {})


def test_what_wants_no_key_is_sent_none() -> None:
    paths = "  /pets: {get: {security: []}, post: {security: [{key: []}, {}]}}\n  /categories: {get: {}}"
    contract = bound(paths, KEYS, more="security: [{app: []}]")
    assert contract.sent(Op.PETS_LIST) == contract.sent(Op.PET_CREATE) == ()
    assert contract.sent(Op.CATEGORIES_LIST) == (APP,)
    assert [key.name for key in contract.keys] == ["app"]


def test_where_a_service_signs_people_in_elsewhere_its_key_is_a_token() -> None:
    contract = bound("  /pets: {get: {security: [{sign: []}]}, post: {security: [{key: []}]}}", KEYS)
    assert [(key.name, key.token) for key in contract.keys] == [("sign", True), ("key", False)]


def test_two_keys_in_one_place_are_no_requirement_that_can_be_met() -> None:
    schemes = KEYS.replace("name: X-Api-Key", "name: x-app-id")
    contract = bound("  /pets: {get: {security: [{app: [], key: []}, {sid: []}]}}", schemes)
    assert contract.key == KeyPlacement(KeyPlace.HEADER, "Cookie", "sid=")


def test_a_document_that_requires_nothing_has_schemes_for_nothing() -> None:
    contract = bound("  /pets: {get: {}}", KEYS, more="security: []")
    assert (contract.key.place, contract.keys, contract.sent(Op.PETS_LIST)[0].place) == (
        KeyPlace.NONE,
        (),
        KeyPlace.NONE,
    )


def test_the_keys_are_in_the_kept_contract() -> None:
    contract = bound("  /pets: {get: {security: [{app: [], key: []}]}, post: {security: []}}", KEYS)
    assert from_json(to_json(contract)) == contract
