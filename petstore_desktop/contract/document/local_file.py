"""Reads a document on this computer, with the files beside it that it refers to (`schemas/pet.yaml#/Pet`).

What is read stays in the document's own folder and what lies below it, links resolved; never the network. Each file is
read once, so that files may refer to each other in circles. They become part of the document, under a name that no
document has of its own, and the references to them become internal ones.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, MutableMapping
from pathlib import Path, PurePosixPath
from typing import cast
from urllib.parse import unquote

from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.document.reading import NOT_FOLLOWED
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.regular_files import named_path, read_regular

MAX_BYTES = 16 * 1024 * 1024
"""Of the document and its files together."""
MAX_FILES = 100
PLACE = "x-files-beside"
"""Where they are put."""

Json = MutableMapping[str, object]


def read(path: str) -> bytes:
    """The bytes of a document. Raises DocumentUnusable: `document-missing`, `document-too-large`."""
    try:
        return read_regular(named_path(path), MAX_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise DocumentUnusable("document-too-large", path=path, megabytes=MAX_BYTES // 1_048_576) from None
        raise DocumentUnusable("document-missing", path=path) from error


def parse_with_files(data: bytes, path: str) -> Json:
    """The document with the files beside it. Raises DocumentUnusable for the document itself; a bad file beside it only
    leaves its references open."""
    root = dict(parse(data))
    _Bundle(root, named_path(path), len(data)).fill()
    return root


class _Bundle:
    """One document that takes in its files."""

    def __init__(self, root: Json, path: Path, size: int) -> None:
        self._root = root
        self._folder = path.resolve().parent
        self._left = MAX_BYTES - size
        self._places: dict[Path, str] = {path.resolve(): "#"}
        self._files: dict[str, object] = {}
        self._troubles: dict[str, str] = {}
        self._todo: list[tuple[object, str, Path]] = [(root, "#", path.resolve())]

    def fill(self) -> None:
        """Read the referenced files, and those that they reference."""
        while self._todo:
            value, place, file = self._todo.pop()
            for node in _references(value):
                node["$ref"] = self._moved(str(node["$ref"]), place, file)
        if self._files:
            self._root[PLACE] = self._files
        if self._troubles:
            self._root[NOT_FOLLOWED] = [f"{reference}: {why}" for reference, why in self._troubles.items()]

    def _moved(self, reference: str, place: str, file: Path) -> str:
        """The reference as the document as a whole has it; as it was where it cannot be followed."""
        address, _, inner = reference.partition("#")
        if not address:
            return f"{place}{inner}" if place != "#" else reference
        target = self._target(unquote(address), file, reference)
        return reference if target is None else f"{target}{inner.rstrip('/')}"

    def _target(self, address: str, file: Path, reference: str) -> str | None:
        """Where in the document the file is, which is read if it is not there yet."""
        try:
            path = self._allowed(address, file)
            if path not in self._places:
                self._take_in(path)
            return self._places[path]
        except (OSError, ValueError, RuntimeError) as error:
            self._troubles.setdefault(reference, "it cannot be read" if isinstance(error, OSError) else str(error))
        except DocumentUnusable:
            self._troubles.setdefault(reference, "it is neither JSON nor YAML")
        return None

    def _allowed(self, address: str, file: Path) -> Path:
        """Raises ValueError for anything that leads out of the folder."""
        if ":" in address or "\\" in address or address.startswith("/") or "\0" in address:
            raise ValueError("only files beside the document are read")
        path = file.parent.joinpath(PurePosixPath(address)).resolve()
        if not path.is_relative_to(self._folder):
            raise ValueError("it lies outside of the document's folder")
        return path

    def _take_in(self, path: Path) -> None:
        if len(self._files) >= MAX_FILES:
            raise ValueError(f"more than {MAX_FILES} files")
        try:
            data = read_regular(path, self._left)
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise ValueError("the files are too large") from None
            raise
        value = dict(parse(data))
        self._left -= len(data)
        name = str(len(self._files))
        self._files[name] = value
        place = f"#/{PLACE}/{name}"
        self._places[path] = place
        self._todo.append((value, place, path))


def _references(value: object) -> Iterator[Json]:
    """Every mapping with a `$ref` in it. A YAML document may hold itself: each is looked at once."""
    todo, seen = [value], set[int]()
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            mapping = cast("Json", node)
            if isinstance(mapping.get("$ref"), str):
                yield mapping
            todo.extend(mapping.values())
        elif isinstance(node, list):
            todo.extend(cast("list[object]", node))
