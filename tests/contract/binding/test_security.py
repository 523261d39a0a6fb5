from __future__ import annotations

import pytest

from petstore_desktop.contract.model import KeyPlace, KeyPlacement
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
    assert schemes_of(paths, "security: [{main: []}]") == {"pets.create": "two"}


def test_an_operation_that_wants_no_key_is_none_of_the_main_schemes() -> None:
    assert schemes_of("  /pets: {get: {security: []}, post: {}}", "security: [{main: []}]") == {"pets.list": "none"}


def test_where_only_operations_name_schemes_the_first_that_can_be_used_is_the_main_one() -> None:
    paths = "  /pets: {get: {security: [{two: []}]}, post: {security: [{main: []}]}}"
    assert schemes_of(paths) == {"pets.create": "main"}
