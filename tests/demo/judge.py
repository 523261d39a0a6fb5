"""A plain HTTP client that holds each answer against the OpenAPI document of the service."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Self

import httpx

from tests.support.patience import PATIENCE_S
from tests.support.shop import Shop

RESOURCES = Path(__file__).resolve().parents[2] / "resources" / "openapi"
ERROR_FIELDS = {"code", "message", "status"}


def read_document(service: str) -> dict[str, Any]:
    return json.loads((RESOURCES / f"{service}.json").read_text(encoding="utf-8"))


def untagged(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records of a list without the validator that stands in each."""
    return [{name: value for name, value in record.items() if name != "@odata.etag"} for record in records]


def inlined(document: dict[str, Any]) -> dict[str, Any]:
    """The document with each local reference replaced by what it leads to."""

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            target: Any = document
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            return walk(target)
        return {name: walk(value) for name, value in node.items()}

    return walk(document)


class Judge:
    """Asks the shop and asserts that each answer is as documented; `seen` collects (operationId, status).

    `client` is for what goes past the judgement.
    """

    def __init__(self, shop: Shop, service: str) -> None:
        self.shop = shop
        self.document = inlined(read_document(service))
        self.seen: set[tuple[str, str]] = set()
        self.client = httpx.Client(headers=shop.auth, timeout=PATIENCE_S)

    def declared(self) -> set[tuple[str, str]]:
        """Each (operationId, status) that the document names."""
        return {
            (operation["operationId"], status)
            for path in self.document["paths"].values()
            for operation in path.values()
            for status in operation["responses"]
            if status != "default"
        }

    def __call__(self, method: str, path: str, **request: Any) -> httpx.Response:
        answer = self.client.request(method, self.shop.url + path, **request)
        operation = self._operation(method, path.partition("?")[0])
        responses = operation["responses"]
        status = str(answer.status_code)
        self.seen.add((operation["operationId"], status))
        self._hold(answer, responses.get(status, responses["default"]))
        return answer

    def _operation(self, method: str, path: str) -> dict[str, Any]:
        for template, operations in self.document["paths"].items():
            if method.lower() in operations and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
                return operations[method.lower()]
        raise AssertionError(f"the document has no {method} {path}")

    def _hold(self, answer: httpx.Response, declared: dict[str, Any]) -> None:
        for name, header in declared["headers"].items():
            if header.get("required"):
                assert name in answer.headers
        if "content" not in declared:
            assert answer.content == b""
            return
        assert answer.headers["content-type"] == "application/json"
        from openapi_schema_validator import OAS30Validator  # late: it takes half a second

        OAS30Validator(declared["content"]["application/json"]["schema"]).validate(answer.json())
        if answer.is_error:
            assert answer.json()["status"] == answer.status_code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
