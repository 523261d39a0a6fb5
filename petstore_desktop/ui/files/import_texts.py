"""The texts of an import: results, errors and columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from petstore_desktop.desk.imports.import_judging import RowKind
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.text.errors.errors import bad_input_words, error_words
from petstore_desktop.ui.text.translate import column_title, field_word, number, quoted, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.import_matching import Identity, Problem
    from petstore_desktop.desk.imports.importing import Import
    from petstore_desktop.domain.errors import ShopError

_SHOWN = 3
"""How many names are listed one by one."""


def file_name(path: str) -> str:
    """A file's name without its folder, harmless."""
    return plain(PurePath(path).name)


def file_error_words(error: ShopError) -> str:
    """Why a file cannot be read, and what to do."""
    said = FILES.get(error.code)
    if said is not None:
        return said(error.params)
    words = error_words(error)
    return sentences(words.what, words.do)


def _most(params: Mapping[str, object]) -> str:
    most = params.get("most")
    return number(most) if isinstance(most, int) else ""


def _no_table(params: Mapping[str, object]) -> str:
    said = {
        "picture": lambda: tr("This is a picture, not a table."),
        "pdf": lambda: tr("This is a PDF, not a table."),
        "program": lambda: tr("This is a program, not a table."),
        "packed": lambda: tr("This is a compressed file. Unpack it, and import the table in it."),
        "database": lambda: tr("This is a database, not a table."),
    }.get(str(params.get("kind")), lambda: tr("This is not a text file, so it has no table to read."))()
    return said if params.get("kind") == "packed" else f"{said} {tr('Save the table as CSV or XLSX, and import that.')}"


FILES: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "file-empty": lambda _: tr("This file is empty."),
    "file-too-large": lambda _: tr("This file is too large. Nothing was imported. Split it, and import the parts."),
    "too-many-rows": lambda p: tr("The file has more than {n} rows. Split it, and import the parts.", n=_most(p)),
    "too-many-columns": lambda p: tr("The file has more than {n} columns. Leave out those that are not needed.",
                                     n=_most(p)),
    "too-many-cells": lambda p: tr("The file has more than {n} cells. Leave out columns that are not needed, or split "
                                   "it, and import the parts.", n=_most(p)),
    "cell-not-closed": lambda p: tr("A cell of the row that begins in line {n} has no end, or is too long. A "
                                    "quotation mark may be missing. Nothing was imported.", n=p.get("line", "")),
    "not-in-encoding": lambda _: tr("The file does not have this encoding. Choose another one."),
    "not-a-table": _no_table,
    "not-a-workbook": lambda _: tr("This workbook cannot be read. Save it as XLSX or CSV, and import that."),
    "old-workbook": lambda _: tr("This workbook is old or has a password. Save it as XLSX or CSV, and import that."),
}  # fmt: skip


def counts_words(made: Import) -> str:
    """`Rows of the file: 91 to change, 0 new, 109 the same, 0 wrong.`"""
    counts = {kind: number(made.counts[kind]) for kind in RowKind}
    return tr(
        "Rows of the file: {changed} to change, {new} new, {same} the same, {wrong} wrong.",
        changed=counts[RowKind.CHANGED],
        new=counts[RowKind.NEW],
        same=counts[RowKind.SAME],
        wrong=counts[RowKind.WRONG],
    )


def said_of(made: Import) -> str:
    """The counts, the fields that match records, and the rows left out."""
    parts = [counts_words(made), _all_wrong(made), identity_words(made.layout.resource, made.identity)]
    if made.missing:
        parts.append(
            tr(
                "The file says that {n} of its rows are missing. Records that are not in it stay as they are.",
                "",
                made.missing,
                one="The file says that {n} of its rows is missing. Records that are not in it stay as they are.",
            )
        )
    return sentences(*parts)


def _all_wrong(made: Import) -> str:
    """The most frequent error if all rows are wrong; else empty."""
    wrong = made.counts[RowKind.WRONG]
    most = made.most_wrong() if wrong == made.total else None
    if most is None:
        return ""
    row, reason = number(most[0] + 1), problem_words(most[1])
    return tr("Most often, as in row {row}: {reason}", "", wrong, one="Row {row}: {reason}", row=row, reason=reason)


def identity_words(resource: Resource, identity: Identity) -> str:
    """What tells which record a row is about."""
    things = {
        Resource.PETS: tr("Pets"),
        Resource.CATEGORIES: tr("Categories"),
        Resource.ORDERS: tr("Orders"),
        Resource.INVENTORY: tr("Stock entries"),
    }[resource]
    if identity == "new":
        return tr("There is no column with ids: every row is a new record.")
    how = {
        "id": tr("id"),
        "name-category": tr("name and category, as there is no column with ids"),
        "name": tr("name, as there is no column with ids"),
        "pet": tr("the pet’s name, as there is no column with ids"),
    }[identity]
    if resource is Resource.INVENTORY and identity == "id":
        how = tr("the pet’s id")
    return tr("{things} are matched by {how}. Empty cells change nothing.", things=things, how=how)


def note_words(made: Import) -> str:
    """The text above the preview's rows: counts, columns used."""
    resource, comma = made.layout.resource, tr(", ", "between names")
    became = comma.join(import_field_words(resource, field) for field in made.layout.fields if field)
    columns = tr("Columns: {columns}.", columns=became)
    stock = tr("The stock of new pets is left out.") if made.leaving_stock and made.stocked else ""
    return sentences(counts_words(made), stock, columns)


def kind_words(kind: RowKind) -> str:
    """The result for one row."""
    return {
        RowKind.CHANGED: tr("changed"),
        RowKind.NEW: tr("new"),
        RowKind.SAME: tr("same"),
        RowKind.WRONG: tr("wrong"),
    }[kind]


def unknown_words(names: Sequence[str], creating: bool) -> str:
    """Categories that are not there."""
    listed = tr(", ", "between names").join(quoted(plain(name)) for name in names[:_SHOWN])
    if len(names) > _SHOWN:
        listed = tr("{names} and {n} more", "", len(names) - _SHOWN, names=listed)
    if creating:
        return tr("{n} categories will be added: {names}.", "", len(names), one="A category will be added: {names}.",
                  names=listed)  # fmt: skip
    return tr("{n} categories do not exist: {names}.", "", len(names), one="There is no category {names}.",
              names=listed)  # fmt: skip


def creating_words(count: int, creating: bool) -> str:
    """The link that has unknown categories made, or not."""
    if creating:
        return tr("Do not add them", "", count, one="Do not add it")
    return tr("Add them", "", count, one="Add it")


def stock_words(count: int, leaving: bool) -> str:
    """The note that new pets of the file have a stock."""
    if leaving:
        return tr("The stock of {n} new pets is left out.", "", count, one="The stock of {n} new pet is left out.")
    return tr(
        "{n} new pets have a stock. You can book it once the service has created them.",
        "",
        count,
        one="{n} new pet has a stock. You can book it once the service has created it.",
    )


def leaving_words(count: int, leaving: bool) -> str:
    """The link that leaves the stock of new pets out, or not."""
    if leaving:
        return tr("Include it")
    return tr("Leave out their stock", "", count, one="Leave out its stock")


def before_words(count: int, again: bool) -> str:
    """The note that rows of the file were imported before."""
    if again:
        return tr(
            "{n} rows were imported before, and make new records.",
            "",
            count,
            one="{n} row was imported before, and makes a new record.",
        )
    return tr(
        "{n} rows were imported before, and are not added again.",
        "",
        count,
        one="{n} row was imported before, and is not added again.",
    )


def again_words(count: int, again: bool) -> str:
    """The link that has rows added that were imported before, or not."""
    if again:
        return tr("Do not add them", "", count, one="Do not add it")
    return tr("Add them again", "", count, one="Add it again")


def unsure_words(made: Import) -> str:
    """What the cells leave open; empty for nothing."""
    if "encoding" in made.formats.unsure:
        return tr("The characters of this file can be read in several ways. Choose its encoding.")
    if "dates" in made.formats.unsure:
        return tr("The dates can be read in two ways: 03/04 is 3 April or 4 March. Choose how they are written.")
    if "numbers" in made.formats.unsure:
        return tr(
            "The numbers can be read in two ways: 1.200 is twelve hundred, or 1 and a fraction. Choose how they "
            "are written."
        )
    return ""


def import_field_words(resource: Resource, field: str) -> str:
    """What a column becomes."""
    if not field:
        return tr("Not used")
    own: Mapping[tuple[Resource, str], Callable[[], str]] = {
        (resource, "category_id"): lambda: tr("Category id"),
        (resource, "category"): lambda: tr("Category"),
        (resource, "pet_id"): lambda: tr("Pet id"),
        (resource, "pet"): lambda: tr("Pet’s name"),
        (Resource.ORDERS, "id"): lambda: tr("Order id"),
        (Resource.INVENTORY, "booking"): lambda: tr("Booked in or out"),
    }
    said = own.get((resource, field))
    return column_title(resource, field) if said is None else said()


def encoding_words(encoding: str) -> str:
    """An encoding by the name that people know."""
    return {
        "utf-8": "UTF-8",
        "utf-16-le": "UTF-16",
        "utf-16-be": tr("UTF-16, other byte order"),
        "windows-1252": tr("Windows, Western (1252)"),
        "iso-8859-1": tr("Latin-1, Western"),
        "iso-8859-15": tr("Latin-9, Western"),
        "windows-1250": tr("Windows, Central Europe (1250)"),
        "windows-1251": tr("Windows, Cyrillic (1251)"),
        "windows-1253": tr("Windows, Greek (1253)"),
        "windows-1254": tr("Windows, Turkish (1254)"),
        "windows-1255": tr("Windows, Hebrew (1255)"),
        "windows-1256": tr("Windows, Arabic (1256)"),
        "windows-1257": tr("Windows, Baltic (1257)"),
        "cp874": tr("Windows, Thai (874)"),
        "shift_jis": tr("Shift JIS, Japanese"),
        "gb18030": tr("GB 18030, Chinese"),
        "euc_kr": tr("EUC-KR, Korean"),
        "big5": tr("Big5, Chinese"),
        "mac_roman": tr("Mac, Western"),
    }.get(encoding, encoding.upper())


def separator_words(separator: str) -> str:
    """A separator of columns."""
    return {",": tr("Comma"), ";": tr("Semicolon"), "\t": tr("Tab"), "|": tr("Bar |")}.get(separator, separator)


def problem_words(problem: Problem) -> str:
    """Why a row is not taken."""
    said = _PROBLEMS.get(problem.code)
    if said is not None:
        return said(problem.params)
    if obstacle := obstacle_words(problem.code):
        return obstacle
    why = bad_input_words(problem.code)
    # "Enter a whole number" says nothing of which of a row's cells it speaks.
    return tr("{column}: {why}", column=field_word(problem.field), why=why) if problem.field else why


def _text(params: Mapping[str, object], name: str) -> str:
    return plain(str(params.get(name, "")))


def _no_new(params: Mapping[str, object]) -> str:
    reason = obstacle_words(str(params.get("reason", "")))
    return tr("It has no id, so it is new. {reason}", reason=reason).rstrip()


def _no_order_status(params: Mapping[str, object]) -> str:
    words = cast("tuple[str, ...]", params.get("words", ()))
    known = tr(", ", "between names").join(quoted(plain(word)) for word in words[:_SHOWN])
    return tr("{name} is no status of an order. There are: {known}.", name=quoted(_text(params, "name")), known=known)


_PROBLEMS: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "no-such-id": lambda p: tr("There is no record #{id}. Leave the id empty for a new one.", id=_text(p, "id")),
    "id-not-read": lambda p: tr(
        "Not all of the list has been read: whether there is a record #{id} is not known.", id=_text(p, "id")
    ),
    "no-such-pet": lambda p: tr("There is no pet {name}.", name=quoted(_text(p, "name")))
    if p.get("name")
    else tr("There is no pet #{id}.", id=_text(p, "id")),
    "no-such-category": lambda p: tr("There is no category #{id}.", id=_text(p, "id")),
    "no-such-status": lambda p: tr("{name} is not available, pending or sold.", name=quoted(_text(p, "name"))),
    "no-order-status": _no_order_status,
    "id-rounded": lambda _: tr("A spreadsheet rounded this number. Format the column as text, and enter it again."),
    "id-unreadable": lambda _: tr("This is not an id."),
    "twice": lambda p: tr("The same record as in row {row}.", row=_text(p, "row")),
    "several-pets": lambda p: tr("{n} pets are called {name}: enter the id.", n=_text(p, "n"),
                                 name=quoted(_text(p, "name"))),
    "several-records": lambda p: tr("{n} are called {name}: a column with ids is needed.", n=_text(p, "n"),
                                    name=quoted(_text(p, "name"))),
    "several-categories": lambda _: tr("Several categories have this name: enter the id."),
    "unknown-category": lambda p: tr("There is no category {name}.", name=quoted(_text(p, "name"))),
    "categories-differ": lambda _: tr("The category’s id and name are both changed, and do not match."),
    "stock-status": lambda _: tr("The status of a stock entry is set by the service."),
    "order-pet": lambda _: tr("An order stays with its pet."),
    "numbers-unsure": lambda _: tr("This number can be read in two ways."),
    "encoding-unsure": lambda _: tr("This text can be read in several ways."),
    "dates-unsure": lambda _: tr("This date can be read in two ways."),
    "new-no-stock": lambda _: tr("A new pet has no stock entry yet: leave this cell empty."),
    "no-new": _no_new,
}  # fmt: skip
