"""How a service's answer may repeat a key: each way as a function from the key to what stands in the answer's bytes."""

from __future__ import annotations

import base64
import html
import json
import urllib.parse
from collections.abc import Callable, Mapping

KEY = "canary/key+3f9c17=="
"""A key with signs that every encoding writes in its own way."""
NO_JSON = ("numbers of C", "numbers in braces")
"""Escapes that JSON does not have."""
AS_JSON_WRITES = (
    "plain", "capitals", "slashes of JSON", "numbers of JSON", "numbers of JSON in capitals", "all in numbers of JSON",
)  # fmt: skip
"""In these a key is looked for in records; in every other one it is masked where it is shown or logged."""
_NAMES = {"/": "&sol;", "+": "&plus;", "=": "&equals;"}


def _percent(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _by_number(shape: str) -> Callable[[str], str]:
    """Each sign that is no letter by its number."""
    return lambda key: "".join(sign if sign.isalnum() else shape.format(ord(sign)) for sign in key)


def _base64(before: str, after: str) -> Callable[[str], str]:
    return lambda key: base64.b64encode(f"{before}{key}{after}".encode()).decode()


ECHOES: Mapping[str, Callable[[str], str]] = {
    "plain": str,
    "capitals": str.upper,
    "slashes of JSON": lambda key: key.replace("/", "\\/"),
    "numbers of JSON": _by_number("\\u{:04x}"),
    "numbers of JSON in capitals": _by_number("\\u{:04X}"),
    "all in numbers of JSON": lambda key: "".join(f"\\u{ord(sign):04x}" for sign in key),
    "numbers of C": _by_number("\\x{:02x}"),
    "numbers in braces": _by_number("\\u{{{:x}}}"),
    "JSON in JSON": lambda key: json.dumps(json.dumps({"key": _by_number("\\u{:04x}")(key)}))[1:-1],
    "numbers of HTML": _by_number("&#{};"),
    "hex numbers of HTML": _by_number("&#x{:X};"),
    "long numbers of HTML": _by_number("&#000{};"),
    "names of HTML": lambda key: "".join(_NAMES.get(sign, sign) for sign in key),
    "HTML in HTML": lambda key: html.escape(_by_number("&#{};")(key)),
    "percent": _percent,
    "percent in small letters": lambda key: _percent(key).lower(),
    "percent twice": lambda key: _percent(_percent(key)),
    "percent of JSON": lambda key: _percent(_by_number("\\u{:04x}")(key)),
    "basic auth": _base64("", ":"),
    "base64": _base64("", ""),
    "base64 of more": _base64('{"authorization":"Bearer ', '"}'),
    "base64 of more, for addresses": lambda key: base64.urlsafe_b64encode(f"ab{key}cd".encode()).decode(),
    "base64 with slashes of JSON": lambda key: _base64("?" * 7, "")(key).replace("/", "\\/"),
    "base64 in lines": lambda key: base64.encodebytes(b"x" * 50 + key.encode()).decode().replace("\n", "\\n"),
    "hex": lambda key: key.encode().hex(),
    "hex in capitals": lambda key: key.encode().hex().upper(),
    "hex with colons": lambda key: ":".join(f"{byte:02x}" for byte in key.encode()),
    "hex with spaces": lambda key: " ".join(f"{byte:02X}" for byte in key.encode()),
    "hex in a list": lambda key: ", ".join(f"0x{byte:02x}" for byte in key.encode()),
    "a list of bytes": lambda key: json.dumps([*key.encode()]),
    "a list of bytes in lines": lambda key: json.dumps(json.dumps([*key.encode()], indent=4))[1:-1],
    "octal": lambda key: "".join(f"\\\\{ord(sign):03o}" for sign in key),
    "quoted-printable": lambda key: "".join(sign if sign.isalnum() else f"={ord(sign):02X}" for sign in key),
    "quoted-printable in lines": lambda key: f"{key[:4]}=\\r\\n{key[4:]}".replace("+", "=2B"),
    "with what is not seen": lambda key: "\u200b".join(key),
}


def leaks(content: str, name: str, key: str = KEY) -> set[str]:
    """The pieces of an echo, nine signs long, that stand in a content; those apart that another key would leave too."""
    ours, others = (_pieces(ECHOES[name](one)) for one in (key, key[::-1]))
    return {piece for piece in ours - others if piece in content}


def _pieces(text: str) -> set[str]:
    return {text[begin : begin + 9] for begin in range(len(text) - 8)}
