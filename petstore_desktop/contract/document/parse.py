"""The bytes of a document as a mapping: JSON or YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from petstore_desktop import log
from petstore_desktop.domain.errors import DocumentUnusable

LARGE = 200_000
"""Letters of a document that is read in parts."""
_WALKED = 3
"""Objects in one another that are read member by member: the document, its components, and the schemas in them."""
_SPACE = re.compile(r"[ \t\n\r]*")


def parse(data: bytes) -> Mapping[str, object]:
    """A JSON or YAML document as a mapping. Unquoted dates of YAML arrive as dates.

    Raises DocumentUnusable: `document-unreadable` for neither JSON nor YAML, `document-too-much` for one that means far
    more than it holds, `document-not-an-object` for a list or a text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentUnusable("document-unreadable", why="not UTF-8", offset=error.start) from None
    try:
        value: object = json.loads(text) if len(text) < LARGE else _in_parts(text)
    except RecursionError:
        raise DocumentUnusable("document-unreadable", why="nested too deep") from None
    except ValueError:
        value = _parse_yaml(text)
    if not isinstance(value, dict):
        raise DocumentUnusable("document-not-an-object")
    return cast("Mapping[str, object]", _masked(cast("object", value), {}) if log.holds_secret(text) else value)


def _in_parts(text: str) -> object:
    """What JSON means, read path by path and schema by schema: no other thread runs while the decoder reads a value.
    Raises ValueError for anything but one object."""
    value, at = _object(json.JSONDecoder(), text, _after_space(text, 0), _WALKED)
    if at != len(text):
        raise ValueError("something stands behind the document")
    return value


def _object(decoder: json.JSONDecoder, text: str, at: int, levels: int) -> tuple[dict[str, object], int]:
    """The object that begins there, and where what follows it begins."""
    made: dict[str, object] = {}
    at = _after(text, at, "{")
    more = not text.startswith("}", at)
    while more:
        name, at = decoder.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError("a name is wanted")
        at = _after(text, _after_space(text, at), ":")
        walked = levels > 1 and text.startswith("{", at)
        made[name], at = _object(decoder, text, at, levels - 1) if walked else decoder.raw_decode(text, at)
        at = _after_space(text, at)
        more = text.startswith(",", at)
        at = _after(text, at, ",") if more else at
    return made, _after(text, at, "}")


def _after(text: str, at: int, sign: str) -> int:
    """Where what follows a sign begins. Raises ValueError where another one stands."""
    if not text.startswith(sign, at):
        raise ValueError(f"{sign} is wanted")
    return _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    return cast("re.Match[str]", _SPACE.match(text, at)).end()


def _masked(value: object, done: dict[int, object]) -> object:
    """The same without known keys. `done`: the result for each part, because YAML may use one part at many places."""
    place = id(value)
    if place not in done:
        done[place] = _copied(value, done)
    return done[place]


def _copied(value: object, done: dict[int, object]) -> object:
    if isinstance(value, str):
        return log.without_secrets(value) if log.holds_secret(value) else value  # else a key may be any word: a path's
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {_masked(name, done): _masked(item, done) for name, item in items}
    return [_masked(item, done) for item in cast("list[object]", value)] if isinstance(value, list) else value


def _parse_yaml(text: str) -> object:
    import yaml  # only here: most documents are JSON, and the module costs start-up time

    from petstore_desktop.contract.document.yaml_reading import TooMuch, read

    try:
        return read(text)
    except RecursionError:
        raise DocumentUnusable("document-unreadable", why="nested too deep") from None
    except TooMuch as error:
        raise DocumentUnusable("document-too-much", why=str(error)) from None
    # A value with a tag that it does not fit (`!!bool maybe`) breaks the loader in ways of its own.
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else int(mark.line) + 1
        raise DocumentUnusable(
            "document-unreadable", why=log.redact(str(getattr(error, "problem", error))), line=line
        ) from None
