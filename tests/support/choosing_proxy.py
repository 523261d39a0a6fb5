"""A fault proxy that makes of the demo shop a service whose clients choose the ids of what they create.

Its document has the id in the body of a creation, and what comes with a number that there is takes its place, as at
many services that upsert. What comes without one is passed on.
"""

from __future__ import annotations

import json

from tests.support.fault_proxy import FaultProxy

KINDS = {"/v1/pets": "Pet", "/v1/categories": "Category"}
"""Where something is created, and the schema of it that has an id."""


class ChoosingProxy(FaultProxy):
    """The same proxy before another kind of service."""

    async def _ask(self, head: bytes, body: bytes) -> bytes:
        method, path, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        if method == "POST" and path in KINDS and "id" in (record := json.loads(body)):
            return await self._written(path, record)
        answer = await super()._ask(head, body)
        return _choosing(answer) if path.endswith("/openapi.json") else answer

    async def _written(self, path: str, record: dict[str, object]) -> bytes:
        """The shop's records are written as they are by its control; the creation's own answer."""
        rows: dict[str, list[dict[str, object]]] = {path.rpartition("/")[2]: [record]}
        if path == "/v1/pets":
            record = {"status": "available", **record}
            rows = {"pets": [record], "inventory": [{"petId": record["id"], "quantity": 0, "status": "available"}]}
        said = json.dumps(rows).encode()
        start = "POST /control/rows HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n"
        answer = await super()._ask(f"{start}Content-Length: {len(said)}\r\n\r\n".encode(), said)
        return _answer("201 Created" if answer.split(b" ", 2)[1] == b"200" else "400 Bad Request", record)


def _choosing(answer: bytes) -> bytes:
    """The document, in which creations have the id in their bodies. What is no document stays as it is."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if head.split(b" ", 2)[1] != b"200":
        return answer
    document = json.loads(body)
    for path, schema in KINDS.items():
        content = document["paths"][path.removeprefix("/v1")]["post"]["requestBody"]["content"]
        content["application/json"]["schema"] = {"$ref": f"#/components/schemas/{schema}"}
    return _answer("200 OK", document)


def _answer(status: str, value: object) -> bytes:
    body = json.dumps(value).encode()
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
