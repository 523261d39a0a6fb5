"""Small files that unpack to, or mean, far more than they are; each with the code of what it is refused with."""

from __future__ import annotations

import io
import itertools
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.support.odd_service import Asked, Reply

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml."
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Bomb:
    """A file's bytes, and which code it is refused with; empty: it is read, in bounds."""

    make: Callable[[], bytes]
    code: str


def workbook(
    sheet: Iterator[str] | str = "<row r='1'><c r='A1'><v>1</v></c></row>",
    texts: Iterator[str] | str = "",
    styles: Iterator[str] | str = "",
    *,
    before: str = "",
    sheets: str = "<sheet name='S' sheetId='1' r:id='r1'/>",
    rels: str = "",
) -> bytes:
    """A workbook with these insides."""
    parts: dict[str, Iterator[str] | str] = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}sheet.main+xml"/>'
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPES}sharedStrings+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}styles+xml"/></Types>'
        ),
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{_RELS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{_RELS}/worksheet" Target="worksheets/sheet1.xml"/>{rels}</Relationships>'
        ),
        "xl/worksheets/sheet1.xml": _in(f"{before}<worksheet {_MAIN}><sheetData>", sheet, "</sheetData></worksheet>"),
        "xl/sharedStrings.xml": _in(f"<sst {_MAIN}>", texts, "</sst>"),
        "xl/styles.xml": _in(f"<styleSheet {_MAIN}>", styles, "</styleSheet>"),
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            with archive.open(name, "w") as part:
                for piece in [content] if isinstance(content, str) else content:
                    part.write(piece.encode())
    return whole.getvalue()


def _in(begin: str, inside: Iterator[str] | str, end: str) -> Iterator[str]:
    yield begin
    yield from [inside] if isinstance(inside, str) else inside
    yield end


def many(piece: str, count: int) -> Iterator[str]:
    """A piece so many times, without ever holding them all."""
    at_once = max(1, MEGABYTE // len(piece))
    for done in range(0, count, at_once):
        yield piece * min(at_once, count - done)


_ENTITIES = "".join(f"<!ENTITY b{n} '{f'&b{n - 1};' * 10}'>" for n in range(1, 8))


def _row(cells: str) -> str:
    return f"<row>{cells}</row>"


WORKBOOKS: Mapping[str, Bomb] = {
    "texts of nothing": Bomb(lambda: workbook(texts=many("<si><t/></si>", 20_000_000)), "too-many-cells"),
    "long texts": Bomb(lambda: workbook(texts=many(f"<si><t>{'x' * 30_000}</t></si>", 8_000)), ""),
    "long texts of other letters": Bomb(
        lambda: workbook(texts=many(f"<si><t>{'x' * 30_000}\U0001f420</t></si>", 8_000)), "file-too-large"
    ),
    "one text": Bomb(lambda: workbook(texts=_in("<si><t>", many("x", 200 * MEGABYTE), "</t></si>")), "file-too-large"),
    "texts beyond what is unpacked": Bomb(
        lambda: workbook(texts=many(f"<si><t>{'x' * 30_000}</t></si>", 10_000)), "file-too-large"
    ),
    "one row": Bomb(lambda: workbook(sheet=_in("<row>", many("<c/>", 20_000_000), "</row>")), "file-too-large"),
    "wide rows of nothing": Bomb(lambda: workbook(sheet=many(_row("<c/>" * 16_384), 2_000)), "too-many-columns"),
    "rows with one cell far out": Bomb(
        lambda: workbook(sheet=many(_row("<c r='ZZZ1'><v>1</v></c>"), 190_000)), "too-many-columns"
    ),
    "cells of nothing": Bomb(lambda: workbook(sheet=many(_row("<c/>" * 250), 100_000)), "too-many-cells"),
    "cells of other letters": Bomb(
        lambda: workbook(sheet=many(_row(f"<c t='str'><v>{'x' * 200}\U0001f420</v></c>" * 100), 12_000)),
        "file-too-large",
    ),
    "texts in cells": Bomb(
        lambda: workbook(sheet=many(_row("<c t='inlineStr'><is><t>x</t></is></c>" * 15), 199_000)), ""
    ),
    "one text with a sign written out in many cells": Bomb(
        lambda: workbook(
            sheet=many(_row("<c t='s'><v>0</v></c>" * 15), 20_000), texts=f"<si><t>{'x' * 30_000}_x0041_</t></si>"
        ),
        "",
    ),
    "rows of nothing": Bomb(lambda: workbook(sheet=many("<row/>", 20_000_000)), "too-many-rows"),
    "rows that are one and the same": Bomb(lambda: workbook(sheet=many("<row r='1'/>", 9_000_000)), "too-many-rows"),
    "rows in rows": Bomb(lambda: workbook(sheet=many("<row>", 5_000_000)), "not-a-workbook"),
    "elements in elements": Bomb(lambda: workbook(sheet=many("<a>", 20_000_000)), "file-too-large"),
    "spaces": Bomb(lambda: workbook(sheet=many(" ", 250 * MEGABYTE)), "file-too-large"),
    "formats": Bomb(
        lambda: workbook(styles=_in("<cellXfs>", many("<xf/>", 5_000_000), "</cellXfs>")), "file-too-large"
    ),
    "formats up to the bound": Bomb(
        lambda: workbook(styles=_in("<cellXfs>", many("<xf><alignment/></xf>", 74_000), "</cellXfs>")), ""
    ),
    "sheets": Bomb(
        lambda: workbook(sheets="<sheet name='S' sheetId='1' r:id='r1'/>" * 15_000), ""
    ),
    "names of sheets": Bomb(
        lambda: workbook(sheets="<sheet name='S' sheetId='1' r:id='r1'/>" * 90_000), "file-too-large"
    ),
    "entities": Bomb(
        lambda: workbook(
            before=f"<!DOCTYPE x [<!ENTITY b0 '{'x' * 1000}'>{_ENTITIES}]>",
            sheet="<row><c t='str'><v>&b7;</v></c></row>",
        ),
        "not-a-workbook",
    ),
}  # fmt: skip


def _csv(row: bytes, count: int) -> Callable[[], bytes]:
    return lambda: b"id,name\n" + row * count


TABLES: Mapping[str, Bomb] = {
    "cells of nothing": Bomb(_csv(b"," * 250 + b"x\n", 100_000), "too-many-cells"),
    "small cells": Bomb(_csv(b"ab," * 250 + b"x\n", 20_000), "too-many-cells"),
    "long cells": Bomb(_csv(b"x" * 100_000 + b"\n", 1_250), ""),
    "long cells of other letters": Bomb(_csv(b"x" * 100_000 + "\U0001f420".encode() + b"\n", 1_250), "file-too-large"),
    "one line": Bomb(_csv(b"x" * (120 * MEGABYTE), 1), "cell-not-closed"),
    "lines of nothing": Bomb(_csv(b"\n", 120 * MEGABYTE), "too-many-rows"),
    "an open quotation mark": Bomb(lambda: b'id,name\n1,"' + b"x\n" * (60 * MEGABYTE), "cell-not-closed"),
    "JSON in JSON": Bomb(lambda: b"[" * (120 * MEGABYTE), "cell-not-closed"),
    "wide": Bomb(_csv(b"," * (100 * MEGABYTE), 1), "too-many-columns"),
}


def _yaml(*lines: str) -> Callable[[], bytes]:
    return lambda: "\n".join(("openapi: 3.0.3", *lines, "")).encode()


def _json(paths: str, schemas: str = "", more: str = "") -> Callable[[], bytes]:
    return lambda: (
        f'{{"openapi": "3.0.3", "paths": {{{paths}}}, "components": {{"schemas": {{{schemas}}}}}{more}}}'.encode()
    )


def _merges(levels: int) -> list[str]:
    """Each mapping holds nine times what the one before it holds."""
    return [
        "a0: &a0 {k: v}",
        *(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}], k{n}: v}}" for n in range(1, levels)),
    ]


_PETS = "paths: {/pets: {get: {}}}"


def _aliased(levels: int, times: int, *lines: str) -> Callable[[], bytes]:
    """A few hundred bytes in which `*it` stands so many `times` for nine to the power of `levels` texts."""
    nested = (f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels))
    return _yaml("a0: &a0 [x,x,x,x,x,x,x,x,x]", *nested, f"it: &it [{','.join([f'*a{levels - 1}'] * times)}]", *lines)


def _pets(more: str) -> str:
    return f"paths: {{/pets: {{get: {{{more}}}}}}}"


def _made(schema: str) -> str:
    """A creation whose body must have `it`, of this schema."""
    whole = f"{{type: object, required: [name, it], properties: {{name: {{type: string}}, it: {{{schema}}}}}}}"
    body = f"{{content: {{application/json: {{schema: {whole}}}}}}}"
    return f"paths: {{/pets: {{get: {{}}, post: {{requestBody: {body}}}}}}}"


_SHOP = "name: shop, in: query, required: true"
ALIASED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "the version": (("info: {title: Shop, version: *it}", _PETS), ""),
    "the title": (("info: {title: *it, version: 1}", _PETS), ""),
    "the last day": ((_pets("x-sunset: *it"),), ""),
    "the last day, deeper": ((_pets("x-deprecated: {sunset: *it}"),), ""),
    "the stability": ((_pets("x-stability: *it"),), ""),
    "the summary": ((_pets("summary: *it"),), ""),
    "a default": ((_made("default: *it"),), ""),
    "a constant": ((_made("const: *it"),), ""),
    "a choice": ((_made("enum: [*it]"),), ""),
    "the default of a parameter": ((_pets(f"parameters: [{{{_SHOP}, schema: {{default: *it}}}}]"),), "document-values"),
    "an example of a parameter": ((_pets(f"parameters: [{{{_SHOP}, example: *it}}]"),), "document-values"),
    "the variable of a server": (("servers: [{url: '/{v}', variables: {v: {default: *it}}}]", _PETS), ""),
    "what is read nowhere": ((_PETS,), ""),
}
"""Where `it` stands in a document of a few hundred bytes, and how that document is refused where it is not `it` for
which it is."""
_GET = '"get": {"responses": {"200": {"content": {"application/json": {"schema": %s}}}}}'
_POINTER = "#/" + "a/" * 1_500_000

DOCUMENTS: Mapping[str, Bomb] = {
    "aliases that are copied": Bomb(_yaml(_PETS, *_merges(30)), "document-too-much"),
    "aliases in one list": Bomb(
        _yaml("a: &a {b: 1, c: 2}", "d: {<<: [" + "*a, " * 400_000 + "*a]}"), "document-too-much"
    ),
    "aliases in aliases": Bomb(
        _yaml(_PETS, "a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40))),
        "document-too-much",
    ),
    **{f"aliases in {at}": Bomb(_aliased(9, 1, *lines), "document-too-much") for at, (lines, _) in ALIASED.items()},
    **{f"fewer aliases in {at}": Bomb(_aliased(6, 4, *lines), code) for at, (lines, code) in ALIASED.items()},
    "values": Bomb(_yaml(_PETS, "a: [" + "1, " * 5_000_000 + "1]"), "document-too-much"),
    "lists in lists of YAML": Bomb(_yaml(_PETS, "a:", " " + "- " * 4_000_000), "document-unreadable"),
    "lists in lists of YAML, in brackets": Bomb(_yaml(_PETS, "a: " + "[" * 4_000_000), "document-unreadable"),
    "a number to the base of 60": Bomb(_yaml(_PETS, "a: 1" + ":30" * 4_000_000), ""),
    "lists in lists of JSON": Bomb(lambda: b"[" * 15_000_000, "document-unreadable"),
    "objects in objects of JSON": Bomb(lambda: b'{"a":' * 3_000_000, "document-unreadable"),
    "JSON that is cut off": Bomb(lambda: b'{"openapi": "3.0.3", "a": [' + b"1," * 7_000_000, "document-too-much"),
    "references to a wide schema": Bomb(
        _json(
            '"/pets": {' + _GET % '{"$ref": "#/components/schemas/All"}' + "}",
            '"All": {"allOf": [' + ",".join(['{"$ref": "#/components/schemas/Wide"}'] * 90_000) + "]}, "
            '"Wide": {"properties": {' + ",".join(f'"p{n}": {{}}' for n in range(50_000)) + "}}",
        ),
        "document-empty",
    ),
    "one item for all paths": Bomb(
        _yaml(
            f"x: &x {{get: {{parameters: [{'{name: a, in: query}, ' * 60_000}]}}}}",
            "paths:",
            " /pets: {get: {}}",
            *(f" /p{n}: *x" for n in range(5_000)),
        ),
        "document-too-much",
    ),
    "one list of answers for all paths": Bomb(
        _yaml(
            "x: &x {get: {responses: {" + ", ".join(f"{n}: {{}}" for n in range(60_000)) + "}}}",
            "paths:",
            " /pets: {get: {}}",
            *(f" /p{n}/pets: *x" for n in range(5_000)),
        ),
        "document-too-much",
    ),
    "a reference for all paths that is long": Bomb(
        _yaml(f"x: &x {{$ref: '{_POINTER}'}}", "paths:", " /pets: {get: {}}", *(f" /p{n}: *x" for n in range(5_000))),
        "",
    ),
}


class Endless:
    """Pets without an end, always others, `each` in an answer, with names of `long` signs; after `mended` only one."""

    def __init__(self, each: int = 100, long: int = 200) -> None:
        self.each, self.name = each, "x" * long
        self.ids = itertools.count(1)
        self.mended = False

    def __call__(self, asked: Asked) -> Reply:
        if not asked.path.endswith("/pets"):
            return Reply(200 if "openapi" not in asked.path else 404, [])
        if self.mended:
            return Reply(200, {"data": [{"id": 1, "name": "Koi"}]})
        number = next(self.ids)
        rows = [{"id": number * self.each + at, "name": self.name} for at in range(self.each)]
        return Reply(200, {"data": rows, "next": f"/v1/pets?cursor={number}"})
