"""What is copied from a list, as LibreOffice's own filters read it: as lines with tabs, and as an HTML table.

Every text must come out letter by letter, ids of 19 digits and names that look like numbers or formulas too; figures
must be numbers. LibreOffice's clipboard itself needs a screen; its filters are the same.
"""

from __future__ import annotations

import random
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from petstore_desktop.desk.edit.clipboard import (
    HTML_HEAD,
    HTML_TAIL,
    cells_of_html,
    cells_of_text,
    html_cell,
    html_row,
    is_figure,
    tsv_line,
)
from tests.long._running import NOT_RUN, Run, run_from, say
from tests.long.office import Office, some_text

ROUNDS = 30
ROWS = 200
LINES_AS_TEXT = "CSV:9,34,76,1,1/2/2/2/3/2"
"""Lines with tabs and doubled quotes, UTF-8, every column as text."""
_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Neither HTML nor a workbook can hold these."""


def some_rows(chance: random.Random) -> list[list[str]]:
    """Ids, names and figures."""
    return [
        [
            str(chance.choice((n, 2**62 + n, -n))),
            _HIDDEN.sub("", some_text(chance)).replace("\r", "") or "–",
            str(chance.choice((-1, 1)) * chance.randrange(10 ** chance.randrange(1, 19))),
        ]
        for n in range(1, ROWS + 1)
    ]


def spaced(text: object) -> str:
    """A text without what HTML does not keep: spaces beside a line break, and empty lines at the ends."""
    return "\n".join(" ".join(line.split()) for line in str("" if text is None else text).split("\n")).strip("\n")


def read(path: Path) -> list[list[Any]]:
    """The cells of a workbook."""
    from openpyxl import load_workbook

    book: Any = load_workbook(path)
    return [list(row) for row in book.active.iter_rows(values_only=True)]


def differences(rows: list[list[str]], got: list[list[Any]], way: str, figures: bool) -> list[str]:
    """Where what LibreOffice has is not what was copied."""
    wrong = [f"{way}: {len(got)} rows, not {len(rows)}"] if len(got) != len(rows) else []
    for row, found in zip(rows, got, strict=False):
        for column, (text, cell) in enumerate(zip(row, found, strict=False)):
            number = figures and column != 1 and is_figure(text)
            if (cell != int(text)) if number else (not isinstance(cell, str | None) or spaced(cell) != spaced(text)):
                wrong.append(f"{way}: {text!r} became {cell!r}")
    return wrong


def one_round(office: Office, chance: random.Random, folder: Path) -> list[str]:
    """One list through both filters, and back through what we paste."""
    folder.mkdir()
    rows = some_rows(chance)
    lines, table = folder / "lines.csv", folder / "table.html"
    text = "\n".join(map(tsv_line, rows))
    markup = [html_row(html_cell(text, column != 1) for column, text in enumerate(row)) for row in rows]
    lines.write_bytes(text.encode("utf-8", "replace"))
    table.write_bytes((HTML_HEAD + "".join(markup) + HTML_TAIL).encode("utf-8", "replace"))
    (from_table,) = office.convert([table], "xlsx:Calc MS Excel 2007 XML", "HTML (StarCalc)")
    (from_lines,) = office.convert([lines], "xlsx:Calc MS Excel 2007 XML", LINES_AS_TEXT)
    wrong = differences(rows, read(from_table), "HTML", figures=True)
    wrong += differences(rows, read(from_lines), "lines", figures=False)
    if cells_of_text(text) != rows:
        wrong.append("lines: not pasted as they were copied")
    (again,) = office.convert([table], "html:HTML (StarCalc)", "HTML (StarCalc)")
    back = cells_of_html(again.read_text("utf-8", "replace"))
    return wrong + differences(rows, [list(row) for row in back], "HTML of LibreOffice, pasted", figures=False)


def main(argv: list[str]) -> int:
    """Lists until the time is over, or a whole count of them."""
    run: Run = run_from(argv, "clipboard")
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        say("clipboard: not run: no LibreOffice here (soffice)")
        return NOT_RUN
    chance, wrong, number = random.Random(run.seed), list[str](), 0
    with tempfile.TemporaryDirectory(prefix="petstore-clipboard-") as name:
        office = Office(program, Path(name))
        while run.goes_on() and not (run.full and number == ROUNDS) and not wrong:
            wrong = one_round(office, chance, Path(name) / f"list-{number}")
            number += 1
    for one in wrong[:10]:
        say(f"  wrong: {one}")
    read_right = "every cell was read as it was copied" if not wrong else f"{len(wrong)} differences"
    say(f"clipboard: {number} lists of {ROWS} rows, {read_right}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
