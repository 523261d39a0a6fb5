"""Where the shop finds the OpenAPI document of each of its services."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SERVICES = ("full", "default")
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
    """The parsed document of a service, one of `SERVICES`."""
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
