"""Documents drawn by chance: at one place of one that can be used stands something that is too long, too wide, too deep
or stands for too much; sizes from a hundred bytes to ten megabytes, as many of each order of size."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from typing import Final, cast

from petstore_desktop import resources

SMALLEST, LARGEST = 100, 10 * 1024 * 1024
_MARK: Final = "@@it@@"

Place = tuple[str | int, ...]


def size(chance: random.Random) -> int:
    """Bytes, log-uniform."""
    return round(math.exp(chance.uniform(math.log(SMALLEST), math.log(LARGEST))))


_LETTERS = ("x", "a1", "ß", "-", " ", "9", "1:", "x.", "{a}", "/a", "é", "\U0001f420", "A_", "2025-01-01")
"""What long texts are made of."""


def _text(chance: random.Random, many: int) -> str:
    piece = chance.choice(_LETTERS)
    return (piece * (many // len(piece.encode()) + 1))[:many]


def _deep(many: int) -> object:
    made: object = "x"
    for number in range(min(many // 6, 400)):  # what is deeper no reader takes
        made = {"a": made} if number % 2 else [made]
    return made


_OTHERS: Final[tuple[object, ...]] = (True, None, -1e300, [["x"]], {"": "x"})
_KINDS: Final = (
    *("a long text", "a list of texts", "a list of one and the same", "many names", "many paths"),
    *("one in the other", "a long number", "another kind of value", "a long name", "many more"),
)
"""What is put there."""


def _value(kind: str, chance: random.Random, many: int) -> object:
    """Something of this kind, of about so many bytes."""
    if kind == "a long text":
        return _text(chance, many)
    if kind == "a list of one and the same":
        return [{"name": "a", "in": "query"}] * (many // 30)
    listed = {"a list of texts": "w{}", "many names": "n{}", "many paths": "/n{}/pets"}
    names = [listed[kind].format(number) for number in range(many // 28)] if kind in listed else []
    made: dict[str, object] = {
        "a list of texts": names,
        "many names": {name: {"type": "string"} for name in names},
        "many paths": {name: {"get": {"summary": "x"}} for name in names},
        "one in the other": _deep(many),
        "a long number": 10 ** min(many, 4_000),
    }
    return made.get(kind, _OTHERS[many % len(_OTHERS)])


def _places(node: object, at: Place = ()) -> Iterator[Place]:
    if at:
        yield at
    if isinstance(node, dict):
        for name, item in cast("dict[str, object]", node).items():
            yield from _places(item, (*at, name))
    elif isinstance(node, list):
        for number, item in enumerate(cast("list[object]", node)):
            yield from _places(item, (*at, number))


_ADDED: Final[dict[str, object]] = {
    "x-sunset": "2030-01-01",
    "x-stability": "beta",
    "x-deprecated": {"sunset": "2030-01-01"},
    "summary": "Something",
    "description": "Something",
    "required": ["name"],
    "enum": ["a", "b"],
    "default": "a",
    "const": "a",
    "format": "date",
    "example": "a",
    "additionalProperties": {"type": "string"},
    "allOf": [{"type": "object"}],
    "servers": [{"url": "/v1"}],
    "security": [{"key": ["read"]}],
    "type": ["string", "null"],
    "$ref": "#/info",
    "readOnly": True,
    "nullable": True,
}
"""What the document does not say everywhere, and may."""


def drawn(seed: int) -> tuple[str, bytes]:
    """What it is, in words, and its bytes."""
    chance = random.Random(seed)
    whole: dict[str, object] = json.loads(resources.path("openapi", "default.json").read_bytes())
    many, as_yaml = size(chance), chance.random() < 0.4
    places = [at for at in _places(whole) if at[0] != "openapi"]
    often = [at for at in places if at[0] == "info" or (at[0] == "paths" and len(at) == 3)]
    place = chance.choice(often if chance.random() < 0.4 else places)
    holder, last = _holder(whole, place)
    if place[0] == "paths" and chance.random() < 0.5:
        inner = holder[last]
        if isinstance(inner, dict):
            name = chance.choice(sorted(_ADDED))
            holder, last, place = cast("dict[str | int, object]", inner), name, (*place, name)
            holder[name] = _ADDED[name]
    words = f"{many:,} bytes, {'YAML' if as_yaml else 'JSON'}, at {'.'.join(map(str, place))[-80:]}"
    kind: str = chance.choice([*_KINDS, *(["aliases"] if as_yaml else [])])
    if kind == "a long name" and isinstance(last, str):
        holder[_text(chance, many)] = holder.pop(last)
    elif kind == "many more" and isinstance(last, str):
        item = holder[last]
        each = len(json.dumps(item)) + 8
        holder |= {f"{last}{n}": item for n in range(many // each)}
    else:
        holder[last] = _MARK if kind == "aliases" else _value(kind, chance, many)
    text = json.dumps(whole, ensure_ascii=chance.random() < 0.5)
    return f"{kind}, {words}", _in_yaml(text, chance) if as_yaml else text.encode()


def _holder(whole: dict[str, object], place: Place) -> tuple[dict[str | int, object], str | int]:
    node: object = whole
    for step in place[:-1]:
        node = cast("dict[str | int, object]", node)[step]
    return cast("dict[str | int, object]", node), place[-1]


def _in_yaml(text: str, chance: random.Random) -> bytes:
    """JSON is YAML: words before it let nothing else read it."""
    if _MARK not in text:
        return f"# A shop\n{text}".encode()
    levels = chance.randint(5, 9)
    a = [f'"x-a{n}": &a{n} [{", ".join([f"*a{n - 1}"] * 9)}]' for n in range(1, levels)]
    named = ", ".join(['"x-a0": &a0 [x, 1, 2025-01-01]', *a, f'"x-it": &it [*a{levels - 1}]'])
    return f"# A shop\n{{{named}, {text[1:]}".replace(f'"{_MARK}"', "*it").encode()
