"""Small OpenAPI documents, written in one line for each endpoint and each schema.

    Swagger Petstore 3
    GET /pet/{petId} => Pet                          # pets.read
    GET /pets?page=int&limit=int => {total:int data:Pet[]}
    POST /pet Pet => Pet                             # pets.create
    Pet = id:int name!:str category:Category status:available|sold

What stands behind `#` is the operation for which the program has to take the endpoint; those without are not used.
`!` marks what is required, `~` what is only read, `?` what may be null. Lines that begin with `>` say what else is
meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_TOKEN = re.compile(r"[{}:]|\[\]|[!~?&]|[^\s{}:!~?&\[\]]+")
_A_FIELD = re.compile("[^ {}:]+:")
_PLAIN: dict[str, dict[str, Any]] = {
    "int": {"type": "integer", "format": "int64"},
    "num": {"type": "number"},
    "str": {"type": "string"},
    "uuid": {"type": "string", "format": "uuid"},
    "time": {"type": "string", "format": "date-time"},
    "bool": {"type": "boolean"},
    "obj": {"type": "object"},
    "any": {},
}


@dataclass
class Written:
    """One document with what is meant by it."""

    title: str
    version: str = "3.0.3"
    address: str = ""
    """Of the service, where it has to name more than the host."""
    paths: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    schemas: dict[str, Any] = field(default_factory=dict[str, Any])
    schemes: dict[str, Any] = field(default_factory=dict[str, Any])
    ops: dict[str, str] = field(default_factory=dict[str, str])
    """Operations to the endpoints that are meant for them."""
    says: list[str] = field(default_factory=list[str])
    """What else is meant, in the words of the test."""

    @property
    def document(self) -> dict[str, Any]:
        """The OpenAPI document."""
        about = {"info": {"title": self.title, "version": "1"}, "paths": self.paths}
        security: list[dict[str, list[str]]] = [{name: []} for name in self.schemes]
        if self.is_old:
            return {"swagger": "2.0", **about, "definitions": self.schemas, "securityDefinitions": self.schemes}
        parts = {"schemas": self.schemas, "securitySchemes": self.schemes}
        return {"openapi": self.version, **about, "components": parts, **({"security": security} if security else {})}

    @property
    def is_old(self) -> bool:
        """Whether it is written in Swagger 2.0."""
        return self.version == "2.0"

    def add(self, line: str) -> None:
        """Take in one line."""
        if line.startswith(">"):
            self._say(line[1:].strip())
        elif re.match("[A-Z]+ /", line):
            self._endpoint(line)
        else:
            name, _, text = line.partition(" = ")
            self.schemas[name.strip()] = _Types(f"{{{text}}}" if _A_FIELD.match(text) else text, self).type()

    def _say(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "version":
            self.version = rest
        elif word == "address":
            self.address = rest
        elif word == "key":
            place, name = rest.split()
            self.schemes[name] = {"type": "apiKey", "in": place, "name": name}
        elif word == "bearer":
            self.schemes["bearer"] = {"type": "http", "scheme": "bearer"}
        else:
            self.says.append(line)

    def _endpoint(self, line: str) -> None:
        line, _, op = line.partition(" # ")
        request, _, answer = line.strip().partition(" => ")
        method, address, *body = request.split(" ", 2)
        path, _, query = address.partition("?")
        if op:
            self.ops[op.strip()] = f"{method} {path}"
        names = re.findall(r"\{([^}]+)\}", path)
        parameters = [_parameter(self, "path", f"{name}!=str") for name in names]
        parameters += [_parameter(self, "query", part) for part in query.split("&") if part]
        node: dict[str, Any] = {"parameters": parameters, "responses": {"200": self._answer(answer)}}
        if body:
            first, _, rest = body[0].partition(" ")
            media, text = (first, rest) if "/" in first else ("application/json", body[0])
            self._put_body(node, media, _Types(text.strip(), self).type())
        self.paths.setdefault(path, {})[method.lower()] = node

    def _answer(self, text: str) -> dict[str, Any]:
        if not text.strip():
            return {"description": "done"}
        schema = _Types(text.strip(), self).type()
        said = {"schema": schema} if self.is_old else {"content": {"application/json": {"schema": schema}}}
        return {"description": "fine", **said}

    def _put_body(self, node: dict[str, Any], media: str, schema: object) -> None:
        if self.is_old:
            node["parameters"].append({"in": "body", "name": "body", "required": True, "schema": schema})
        else:
            node["requestBody"] = {"content": {media: {"schema": schema}}}


def _parameter(written: Written, place: str, text: str) -> dict[str, Any]:
    name, _, kind = text.partition("=")
    schema = _Types(kind or "str", written).type()
    said = schema if written.is_old else {"schema": schema}
    return {"in": place, "name": name.rstrip("!"), "required": name.endswith("!"), **said}


class _Types:
    """Reads the notation of types."""

    def __init__(self, text: str, written: Written) -> None:
        self._tokens = _TOKEN.findall(text)
        self._written = written

    def type(self) -> dict[str, Any]:
        """One type, with what stands behind it."""
        made: dict[str, Any] = self._atom()
        while self._tokens and self._tokens[0] in ("[]", "?", "&"):
            sign = self._tokens.pop(0)
            if sign == "[]":
                made = {"type": "array", "items": made}
            elif sign == "&":
                made = {"allOf": [made, self.type()]}
            else:
                made = self._nullable(made)
        return made

    def _nullable(self, made: dict[str, Any]) -> dict[str, Any]:
        if self._written.version.startswith("3.1"):
            return {"anyOf": [made, {"type": "null"}]}
        return {"allOf": [made], "nullable": True} if "$ref" in made else {**made, "nullable": True}

    def _atom(self) -> dict[str, Any]:
        word = self._tokens.pop(0)
        if word == "{":
            return self._fields()
        if word in _PLAIN:
            return dict(_PLAIN[word])
        if word.startswith("*"):
            return {"type": "object", "additionalProperties": _Types(word[1:], self._written).type()}
        if "|" in word:
            return {"type": "string", "enum": [one for one in word.split("|") if one]}
        below = "definitions" if self._written.is_old else "components/schemas"
        return {"$ref": f"#/{below}/{word}"}

    def _fields(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        required: list[str] = []
        while self._tokens[0] != "}":
            name, sign = self._tokens.pop(0), self._tokens.pop(0)
            while sign != ":":
                made[name] = {"readOnly": True} if sign == "~" else made.get(name, {})
                required += [name] if sign == "!" else []
                sign = self._tokens.pop(0)
            made[name] = {**self.type(), **made.get(name, {})}
        self._tokens.pop(0)
        return {"type": "object", "properties": made, **({"required": required} if required else {})}


def read(name: str) -> dict[str, Written]:
    """The documents of one file, by their titles; they are parted by empty lines."""
    found: dict[str, Written] = {}
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    for part in text.strip().split("\n\n"):
        title, *lines = part.split("\n")
        written = found[title] = Written(title)
        for line in sorted(lines, key=lambda line: not line.startswith(">")):
            written.add(line)
    return found
