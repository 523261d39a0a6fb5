"""YAML with bounds: what a document means is counted before it is made, however few bytes it has.

The events come from the C parser, where there is one; they are put together in Python. The C composer would hold up
every other thread for as long as it takes, and end the process where values are nested deeper than its stack.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Final, cast

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.resolver import Resolver
from yaml.scanner import Scanner

MOST_NODES: Final = 500_000
"""Values and keys of one document; the largest that are published have about 400,000."""
MOST_MERGED: Final = 100_000
"""Keys that `<<` copies from one mapping into others, over all."""
_LONGEST_NUMBER: Final = 100
"""Signs of a number to the base of 60 (`1:30:30`): to work it out takes the square of its length."""
_PREFIX: Final = "tag:yaml.org,2002:"
_IN_PARTS: Final = re.compile("[-+]?[0-9][0-9_]*:")
_NUMBERS: Final = (f"{_PREFIX}int", f"{_PREFIX}float")
_MERGE: Final = f"{_PREFIX}merge"


class TooMuch(Exception):
    """The document means too much. Its text says of what."""


class _Bounded(Composer, SafeConstructor, Resolver):
    def __init__(self) -> None:
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)
        self._nodes = self._merged = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooMuch(f"it has more than {MOST_NODES} values")
        return super().compose_node(parent, index)

    def compose_scalar_node(self, anchor: Any) -> Any:
        event: Any = cast("Any", self).peek_event()
        value, tag = cast("str", event.value), cast("str | None", event.tag)
        plain = not event.style and tag is None
        if len(value) > _LONGEST_NUMBER and (plain or tag in _NUMBERS) and _IN_PARTS.match(value):
            raise TooMuch("a number is too long")
        return super().compose_scalar_node(anchor)

    def flatten_mapping(self, node: Any) -> None:
        for key, value in node.value:
            if key.tag == _MERGE:
                for part in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    self._count_merged(part)
        super().flatten_mapping(node)

    def _count_merged(self, part: Any) -> None:
        if isinstance(part, yaml.MappingNode):
            self.flatten_mapping(part)  # so that what it has itself is counted too
            self._merged += len(cast("list[Any]", part.value)) + 1
            if self._merged > MOST_MERGED:
                raise TooMuch(f"its aliases stand for more than {MOST_MERGED} keys")


class _Slow(Reader, Scanner, Parser, _Bounded):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        _Bounded.__init__(self)


def read(text: str) -> object:
    """What a document means. Raises TooMuch, RecursionError, and what PyYAML raises: YAMLError, and others for values
    that do not fit their tags."""
    loader: Any = _loader(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def _loader(text: str) -> object:
    try:
        cyaml: Any = import_module("yaml.cyaml")  # not where PyYAML was built without it
    except ImportError:
        return _Slow(text)

    def begin(self: Any) -> None:
        cyaml.CParser.__init__(self, text)
        _Bounded.__init__(self)

    return type("_Quick", (_Bounded, cyaml.CParser), {"__init__": begin})()
