"""A OwnFiles that keeps everything in memory, and answers at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.errors import BadInput, ShopError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.own_acts import OwnActs
from petstore_desktop.domain.records import Key, Resource


class RecordingViews:
    """`trouble` is told instead of keeping or reading anything."""

    def __init__(self) -> None:
        self.minimums = Minimums()
        self.codes = Codes()
        self.acts = OwnActs()
        self.code_files: dict[str, Codes] = {}
        self.trouble: ShopError | None = None
        self.changed: Mapping[Resource, frozenset[Key]] = {}
        self.asked_since: list[float] = []
        self.files: dict[str, Sequence[Any]] = {}

    def read_minimums(self, done: Callable[[Minimums, ShopError | None], None]) -> None:
        done(self.minimums, self.trouble)

    def keep_minimums(self, minimums: Minimums, failed: Callable[[ShopError], None]) -> None:
        if self.trouble is None:
            self.minimums = minimums
        else:
            failed(self.trouble)

    def read_codes(self, done: Callable[[Codes, ShopError | None], None]) -> None:
        done(self.codes, self.trouble)

    def keep_codes(self, codes: Codes, failed: Callable[[ShopError], None]) -> None:
        if self.trouble is None:
            self.codes = codes
        else:
            failed(self.trouble)

    def read_acts(self, done: Callable[[OwnActs, ShopError | None], None]) -> None:
        done(self.acts, None)

    def keep_acts(self, acts: OwnActs) -> None:
        self.acts = acts

    def export_codes(self, path: str, codes: Codes, done: Callable[[ShopError | None], None]) -> None:
        if self.trouble is None:
            self.code_files[path] = codes
        done(self.trouble)

    def import_codes(self, path: str, done: Callable[[Codes | ShopError], None]) -> None:
        done(self.code_files.get(path, BadInput("not-codes", path=path)))

    def changed_since(self, since: float, done: Callable[[Mapping[Resource, frozenset[Key]]], None]) -> None:
        self.asked_since.append(since)
        done(self.changed)

    def write_views(self, path: str, views: Sequence[Any], done: Callable[[ShopError | None], None]) -> None:
        if self.trouble is None:
            self.files[path] = views
        done(self.trouble)

    def read_views(self, path: str, done: Callable[[Sequence[Any] | ShopError], None]) -> None:
        done(self.files.get(path, BadInput("not-views", path=path)))
