"""The service's operations as data, with its OpenAPI document, and the application that serves them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from petstore_desktop.demo.books.loading import OwnRules
from petstore_desktop.demo.books.shop import Shop
from petstore_desktop.demo.operations.answers import CODES, Refusal, error_answer, json_answer
from petstore_desktop.demo.operations.records import categories, orders, pets, stock

Handler = Callable[[Request], Awaitable[Response]]

BASE = "/v1"
DOCUMENTS = (f"{BASE}/openapi.json", f"{BASE}/openapi.yaml")


@dataclass(frozen=True, slots=True)
class ServedOperation:
    """One operation below `BASE`; `full` where the default service does not have it."""

    method: str
    path: str
    handler: Handler
    full: bool = False


OPERATIONS = (
    ServedOperation("GET", "/pets", pets.list),
    ServedOperation("POST", "/pets", pets.create),
    ServedOperation("GET", "/pets/{petId}", pets.read),
    ServedOperation("PUT", "/pets/{petId}", pets.replace, full=True),
    ServedOperation("PATCH", "/pets/{petId}", pets.change, full=True),
    ServedOperation("DELETE", "/pets/{petId}", pets.delete, full=True),
    ServedOperation("GET", "/categories", categories.list),
    ServedOperation("POST", "/categories", categories.create),
    ServedOperation("GET", "/categories/{categoryId}", categories.read, full=True),
    ServedOperation("PUT", "/categories/{categoryId}", categories.replace, full=True),
    ServedOperation("PATCH", "/categories/{categoryId}", categories.change, full=True),
    ServedOperation("DELETE", "/categories/{categoryId}", categories.delete, full=True),
    ServedOperation("GET", "/store/orders", orders.list),
    ServedOperation("POST", "/store/orders", orders.create, full=True),
    ServedOperation("GET", "/store/orders/{orderId}", orders.read, full=True),
    ServedOperation("PATCH", "/store/orders/{orderId}", orders.change, full=True),
    ServedOperation("DELETE", "/store/orders/{orderId}", orders.delete),
    ServedOperation("GET", "/inventory", stock.list),
    ServedOperation("GET", "/inventory/{petId}", stock.read, full=True),
    ServedOperation("PUT", "/inventory/{petId}", stock.replace, full=True),
    ServedOperation("PATCH", "/inventory/{petId}", stock.change),
)


def make_service(shop: Shop) -> Starlette:
    """The operations of the shop's service and its document, as one application."""
    offered = [
        operation
        for operation in OPERATIONS
        if (shop.full or not operation.full) and shop.own.offers_operation(operation.method, operation.path)
    ]
    paths = {operation.path: dict[str, Handler]() for operation in offered}
    for operation in offered:
        paths[operation.path][operation.method] = operation.handler
    routes = [Route(BASE + path, _by_method(handlers), methods=list(handlers)) for path, handlers in paths.items()]
    routes += _document_routes(shop)
    app = Starlette(
        routes=routes,
        exception_handlers={
            Refusal: _refused,
            HTTPException: _not_served,
            ClientDisconnect: _not_heard,
            Exception: _failed,
        },
    )
    app.router.redirect_slashes = False
    app.state.shop = shop
    return app


def _by_method(handlers: dict[str, Handler]) -> Handler:
    async def endpoint(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return endpoint


def _document_routes(shop: Shop) -> list[Route]:
    def text() -> str:
        return _document(shop.service, shop.own, tags=shop.tags or not shop.full)

    async def as_json(_: Request) -> Response:
        return json_answer(text())

    async def as_yaml(_: Request) -> Response:
        return Response(_to_yaml(json.loads(text())), media_type="application/yaml")

    return [Route(DOCUMENTS[0], as_json), Route(DOCUMENTS[1], as_yaml)]


@cache
def _document(service: str, own: OwnRules, *, tags: bool) -> str:
    whole = adapted(load_document(service), own)
    return json.dumps(whole if tags else without_tags(whole), indent=2, ensure_ascii=False)


def _to_yaml(document: dict[str, Any]) -> str:
    import yaml  # only the few who ask for YAML pay for it

    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return error_answer(error)


async def _not_served(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = {
        404: f"there is nothing at {request.url.path[:200]}",
        405: f"{request.method} is not offered at {request.url.path[:200]}",
    }.get(error.status_code, error.detail)
    return error_answer(Refusal(error.status_code, message, CODES.get(error.status_code), error.headers))


async def _not_heard(_: Request, __: Exception) -> Response:
    """For a client that went before its request was whole: nothing was done, and nobody reads the answer."""
    return error_answer(Refusal(400, "the request ended before it was whole"))


async def _failed(_: Request, error: Exception) -> Response:
    return error_answer(Refusal(500, f"the shop failed: {type(error).__name__}"))


def adapted(document: dict[str, Any], own: OwnRules) -> dict[str, Any]:
    """The document of a shop with rules of its own: without what it does not offer, with its statuses, and where ids
    may be texts without a word on their type."""
    for path, methods in list(document["paths"].items()):
        for method in [name for name in methods if name.upper() in METHODS]:
            if not own.offers_operation(method.upper(), path):
                del methods[method]
        if not any(name.upper() in METHODS for name in methods):
            del document["paths"][path]
    document["components"]["schemas"]["PetStatus"]["enum"] = list(own.statuses)
    if own.text_ids:
        _untype(document)
    return document


def _untype(part: Any) -> None:
    """Take the type of a number out of each schema of an id."""
    if isinstance(part, list):
        for one in part:  # pyright: ignore[reportUnknownVariableType] (any JSON)
            _untype(one)
    elif isinstance(part, dict):
        if part.get("type") == "integer" and part.get("format") == "int64" and "minimum" not in part:  # pyright: ignore[reportUnknownMemberType] (any JSON)
            del part["type"], part["format"]
        for one in part.values():  # pyright: ignore[reportUnknownVariableType] (any JSON)
            _untype(one)


METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_TAG_NAMES = ("ETag", "IfMatch", "IfNoneMatch", "412", "Tagged", "@odata.etag")


def document_path(service: str) -> Path:
    """The file of a service's document: in the installed package, else in the checkout.

    Raises FileNotFoundError where neither is there.
    """
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "_resources", package.parent / "resources"):
        path = folder / "openapi" / f"{service}.json"
        if path.is_file():
            return path
    raise FileNotFoundError(f"the OpenAPI document of the service {service!r} is not installed")


def load_document(service: str) -> dict[str, Any]:
    """The parsed document of a service, "full" or "default"."""
    document: dict[str, Any] = json.loads(document_path(service).read_text(encoding="utf-8"))
    return document


def without_tags(part: Any) -> Any:
    """A document, or a part of one, of a service that gives no validators and heeds none."""
    if isinstance(part, list):
        return [without_tags(one) for one in part if not _is_of_tags(one)]  # pyright: ignore[reportUnknownVariableType] (any JSON)
    if isinstance(part, dict):
        return {name: without_tags(one) for name, one in part.items() if name not in _TAG_NAMES}  # pyright: ignore[reportUnknownVariableType] (any JSON)
    return part


def _is_of_tags(part: Any) -> bool:
    named = part.get("$ref", "").rpartition("/")[2] if isinstance(part, dict) else part  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] (any JSON)
    return named in _TAG_NAMES
