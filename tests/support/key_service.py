"""A service that takes its key in one header, whatever its document says of it."""

from __future__ import annotations

from typing import Any

from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error

KEY = "special-key-7731"
SCHEMES = {
    "petstore_auth": {"type": "oauth2", "flows": {}},
    "api_key": {"type": "apiKey", "in": "header", "name": "api_key"},
}
OWN = [{"petstore_auth": []}]
PET = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
BODY = {"content": {"application/json": {"schema": PET}}}
MANY = {"content": {"application/json": {"schema": {"type": "array", "items": PET}}}}
LIST = {"responses": {"200": {"description": "", **MANY}}}


def document(schemes: dict[str, Any] = SCHEMES, security: list[Any] | None = OWN) -> dict[str, Any]:
    said = {} if security is None else {"security": security}
    return {
        "openapi": "3.0.3",
        "info": {"title": "Pet store", "version": "1"},
        "paths": {
            "/pets": {
                "get": {**LIST, **said},
                "post": {"requestBody": BODY, "responses": {"201": {"description": ""}}, **said},
            },
            "/inventory": {"get": {**LIST, **({} if security is None else {"security": [{"api_key": []}]})}},
        },
        "components": {"securitySchemes": schemes},
    }


def service(
    header: str, value: str, refusal: Reply | None = None, *, published: bool = True, **told: Any
) -> OddService:
    """It takes its key in this header alone. `published`: whether it has a document."""

    def serve(asked: Asked) -> Reply:
        if asked.path == "/v1/openapi.json" and published:
            return Reply(200, document(**told), LIMITS)
        if asked.path not in ("/v1/pets", "/v1/inventory", "/v1/categories", "/v1/store/orders"):
            return error(404)
        good = asked.headers.get(header) == value
        return Reply(200, [{"id": 1, "name": "Rex"}], LIMITS) if good else refusal or error(401)

    return OddService(serve)
