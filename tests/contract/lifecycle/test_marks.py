from __future__ import annotations

import pytest

from petstore_desktop.contract.operations import Op, Stability
from tests.contract.documents import bound


def marked(marks: str) -> tuple[bool, str | None, Stability]:
    """The marks of an operation, as they are understood."""
    operation = bound(f"  /pets: {{get: {{{marks}}}}}").operations[Op.PETS_LIST]
    return operation.deprecated, operation.sunset, operation.stability


@pytest.mark.parametrize(
    "marks",
    [
        "deprecated: true, x-sunset: 2027-06-30",
        "deprecated: true, x-sunset: '2027-06-30'",
        "deprecated: true, x-sunset: 2027-06-30T12:00:00Z",
        "deprecated: true, x-sunset-date: 2027-06-30",
        "deprecated: true, x-deprecated-sunset: '2027-06-30T00:00:00+02:00'",
        "x-sunsetDate: 'Wed, 30 Jun 2027 23:59:59 GMT'",
        "x-deprecation: {sunset: 2027-06-30}",
        "x-deprecated: {since: 2026-01-01, sunset-date: 2027-06-30}",
    ],
)
def test_a_sunset_date_is_found_in_every_spelling(marks: str) -> None:
    assert marked(marks) == (True, "2027-06-30", Stability.STABLE)


def test_a_sunset_that_is_no_date_is_a_warning() -> None:
    contract = bound("  /pets: {get: {deprecated: true, x-sunset: some day}}")
    assert contract.operations[Op.PETS_LIST].deprecated
    assert contract.operations[Op.PETS_LIST].sunset is None
    assert contract.warnings == ("GET /pets: the sunset date cannot be read: some day",)


@pytest.mark.parametrize(
    ("marks", "stability"),
    [
        ("x-stability: beta", Stability.BETA),
        ("x-stability-level: Experimental", Stability.EXPERIMENTAL),
        ("x-beta: true", Stability.BETA),
        ("x-beta: false", Stability.STABLE),
        ("x-experimental: true", Stability.EXPERIMENTAL),
        ("x-badges: [{name: Beta, color: purple}]", Stability.BETA),
        ("x-badges: [new, alpha]", Stability.EXPERIMENTAL),
        ("x-state: preview", Stability.BETA),
        ("x-lifecycle: {stage: beta}", Stability.BETA),
        ("x-stability: stable", Stability.STABLE),
        ("x-stability: whatever", Stability.STABLE),
        ("description: beta", Stability.STABLE),
    ],
)
def test_stability_is_found_in_every_spelling_and_no_mark_means_stable(marks: str, stability: Stability) -> None:
    assert marked(marks)[2] is stability


def test_marks_of_a_path_hold_for_its_operations() -> None:
    contract = bound("  /pets: {x-stability: beta, x-sunset: 2027-06-30, get: {}}")
    assert contract.operations[Op.PETS_LIST].stability is Stability.BETA
    assert contract.operations[Op.PETS_LIST].sunset == "2027-06-30"
