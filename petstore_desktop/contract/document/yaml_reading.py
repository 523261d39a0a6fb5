"""YAML with bounds: what a document means is counted before it is made, however few bytes it has.

The events come from the C parser, where there is one; they are put together in Python. The C composer would hold up
every other thread for as long as it takes, and end the process where values are nested deeper than its stack.
"""

from __future__ import annotations

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
MOST_MEANT: Final = 10_000_000
"""Values that a document stands for where each alias counts as all that it stands for."""
_LONGEST_NUMBER: Final = 4_300
"""Signs of a number. What it takes to work one out to the base of 60 (`1:30:30`) grows with the square of its length,
and Python writes no longer ones."""
_PREFIX: Final = "tag:yaml.org,2002:"
_MERGE: Final = f"{_PREFIX}merge"
_INT: Final = f"{_PREFIX}int"
_TEXT: Final = f"{_PREFIX}str"


class TooMuch(Exception):
    """The document means too much. Its text says of what."""


class _Bounded(Composer, SafeConstructor, Resolver):
    def __init__(self) -> None:
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)
        self._nodes = self._merged = self._meant = 0
        self._stands_for: dict[str, int] = {}
        """How many values each anchor means."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TooMuch(f"it has more than {MOST_NODES} values")
        event: Any = cast("Any", self).peek_event()
        before, is_alias = self._meant, isinstance(event, yaml.AliasEvent)
        self._meant += self._stands_for.get(event.anchor, 1) if is_alias else 1  # 1 within what it stands for
        if self._meant > MOST_MEANT:
            raise TooMuch(f"its aliases stand for more than {MOST_MEANT} values")
        node = super().compose_node(parent, index)
        if event.anchor is not None and not is_alias:
            self._stands_for[event.anchor] = self._meant - before
        return node

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """What a value is: a long one is a text, and nothing looks at its letters."""
        is_long = kind is yaml.ScalarNode and len(value) > _LONGEST_NUMBER
        return _TEXT if is_long else cast("Any", super()).resolve(kind, value, implicit)

    def construct_number(self, node: Any) -> Any:
        """A number, where it is not too long for one."""
        if len(node.value) > _LONGEST_NUMBER:
            raise TooMuch("a number is too long")
        return self.construct_yaml_int(node) if node.tag == _INT else self.construct_yaml_float(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Names are texts as in JSON, the words as they stand there: `200`, `on`."""
        if isinstance(node, yaml.MappingNode):
            self.flatten_mapping(node)
            for key, _ in node.value:
                key.tag = _TEXT if isinstance(key, yaml.ScalarNode) else key.tag
        return super().construct_mapping(node, deep)

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


for _tag in (_INT, f"{_PREFIX}float"):
    cast("Any", _Bounded).add_constructor(_tag, _Bounded.construct_number)


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
