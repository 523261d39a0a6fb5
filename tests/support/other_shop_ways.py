"""The ways in which the other shop (other_shop.py) differs from the demo shop, and from itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PAGE = 37
"""Rows of a page."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How one such shop does things.

    paging: by a cursor in the body, by page and pageSize, by offset and limit, by a Link of rel next, or all at once
        (the last two as bare arrays). ids: numbers, texts of digits, or words. created: what the answer to a creation
        holds. errors: an RFC 9457 problem, or an object called error.
    """

    paging: Literal["cursor", "page", "offset", "link", "all"] = "cursor"
    ids: Literal["text", "number", "word"] = "text"
    auth: Literal["bearer", "header", "query", "basic", "none"] = "bearer"
    change: Literal["PATCH", "PUT"] = "PATCH"
    etags: bool = False
    created: Literal["id", "nothing", "location", "whole"] = "id"
    errors: Literal["problem", "error"] = "problem"
    base: str = "/menagerie/api"

    def __str__(self) -> str:
        tags = "etags" if self.etags else "no-etags"
        return f"{self.paging}-{self.ids}-{self.auth}-{self.change}-{tags}-{self.created}-{self.errors}"
