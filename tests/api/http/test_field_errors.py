"""What services of many frameworks say is wrong with each field reaches the person who typed it."""

from __future__ import annotations

import json

import httpx
import pytest

from petstore_desktop.api.http.error_responses import words_of
from petstore_desktop.api.http.transport import Answer

BODIES: dict[str, tuple[object, str]] = {
    "Django REST framework": (
        {"price": ["A valid number is required."], "non_field_errors": ["Both differ."]},
        "price: A valid number is required.; Both differ.",
    ),
    "Rails": ({"name": ["can't be blank", "is too short"]}, "name: can't be blank; is too short"),
    "Rails, in an envelope": ({"errors": {"name": ["can't be blank"]}}, "name: can't be blank"),
    "ASP.NET": (
        {"title": "One or more validation errors occurred.", "status": 400, "errors": {"Name": ["It is required."]}},
        "One or more validation errors occurred. Name: It is required.",
    ),
    "Nest": (
        {"statusCode": 400, "message": ["name must be a string"], "error": "Bad Request"},
        "name must be a string",
    ),
    "Spring": (
        {"error": "Bad Request", "message": "Failed", "errors": [{"field": "name", "defaultMessage": "is blank"}]},
        "Failed: name: is blank",
    ),
    "FastAPI": ({"detail": [{"loc": ["body", "price"], "msg": "field required"}]}, "price: field required"),
    "Laravel": (
        {"message": "The given data was invalid.", "errors": {"name": ["The name is required."]}},
        "The given data was invalid. name: The name is required.",
    ),
    "a problem": ({"title": "Out of credit", "detail": "Your balance is 30."}, "Out of credit: Your balance is 30."),
    "the specification": ({"code": "bad", "message": "No such pet", "status": 400}, "No such pet"),
    "an object that says nothing": ({"id": 7, "price": "12"}, ""),
    "no end of fields": ({f"f{number}": ["x"] for number in range(99)}, "f0: x; f1: x; f2: x; f3: x; f4: x"),
}


def nested(depth: int) -> str:
    """An error in an error in an error, and lists in lists."""
    return '{"errors":[' * depth + '["x"]' + "]}" * depth


@pytest.mark.parametrize("text", [nested(300), "[" * 900 + "]" * 900])
def test_what_lies_in_one_another_without_end_says_nothing(text: str) -> None:
    answer = Answer(400, httpx.Headers({"content-type": "application/json"}), "http://shop.example", text.encode())
    assert words_of(answer, None).message == ""


@pytest.mark.parametrize("service", BODIES)
def test_a_refusal_names_the_fields(service: str) -> None:
    body, said = BODIES[service]
    headers = httpx.Headers({"content-type": "application/json"})
    answer = Answer(400, headers, "http://shop.example/pets", json.dumps(body).encode())
    assert words_of(answer, None).message == said
