"""Files of ours through LibreOffice's own filters and back: what comes back changes nothing.

Shops full of hostile names, ids of 19 digits and odd dates are exported, opened and saved anew by LibreOffice, as
workbook, as ODS and as CSV, and imported over the same shop. Every row must be the same; and where LibreOffice opens a
CSV file by its own lights, nothing in it may have become a formula.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from petstore_desktop.desk.imports.import_layout import guess_layout
from petstore_desktop.desk.imports.importing import Import
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Resource, Row
from petstore_desktop.domain.sheets import SheetOptions
from petstore_desktop.exchange.reading import read_sheet
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import RecordNames, cells
from petstore_desktop.sync.wire.events import RowsChanged
from tests.desk.shopkit import new_desk
from tests.long._running import NOT_RUN, Run, run_from, say

ROUNDS = 30
"""So many shops, for the whole count."""
RECORDS = 60
SOME_S = 120.0
"""LibreOffice takes a few seconds for a handful of files."""
AS_TEXT = "CSV:44,34,76,1,1/2/2/2/3/2/4/2/5/2/6/2"
"""Open a CSV file with all columns as text, which is how a person keeps leading zeros and 19 digits."""
TO_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false,false,1"
"""Save as UTF-8 with the texts quoted and no cell as it is shown."""
HOSTILE = (
    "=1+1", "'=x", "'tis", "-3", "+49 30", "@x", "0042", "1e5", "TRUE", "2025-11-18", "12:30", "1/2", "50%", "#N/A",
    "a\nb", "a\r\nb", "a\rb", 'x"; ,y', "\u202eevil", "قط 🐟", "_x0041_", "\x01\x1f", "\t", " spaced ", "<b>&amp;</b>",
    "local:1", "#12", "# 1 of 1 pets", "=cmd|' /C calc'!A0", "9007199254740993", "",
)  # fmt: skip
DATES = (None, "2025-11-18T14:00:00Z", "2025-11-18T14:00:00.000+01:00", "2025-11-18", "soon", "03/04/2026")


class Office:
    """LibreOffice without a window, with a profile of its own."""

    def __init__(self, program: str, folder: Path) -> None:
        self._call = [program, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
        self._folder = folder
        self._count = 0

    def convert(self, files: list[Path], to: str, opened: str = "") -> list[Path]:
        """Open each file and save it anew."""
        self._count += 1
        out = self._folder / f"saved-{self._count}"
        how = [*([f"--infilter={opened}"] if opened else []), "--convert-to", to, "--outdir", str(out)]
        done = subprocess.run([*self._call, *how, *map(str, files)], capture_output=True, timeout=SOME_S, check=False)
        made = sorted(out.glob("*")) if out.is_dir() else []
        assert len(made) == len(files), done.stderr.decode(errors="replace")[-400:]
        return made


def some_text(chance: random.Random) -> str:
    """A name that somebody may have given, or that is meant to do harm."""
    if chance.random() < 0.6:
        return chance.choice(HOSTILE)
    signs = "abcäßقд,;'\"=+-@\t\n #0123456789_x\u00a0\u2028🐟"
    return "".join(chance.choice(signs) for _ in range(chance.randrange(12)))


def some_shop(chance: random.Random) -> dict[Resource, list[Any]]:
    """Records of all kinds, each id once."""
    ids = [chance.choice((n, 2**62 + n, -n)) for n in range(1, RECORDS + 1)]

    def number() -> int:
        return chance.choice((-1, 1)) * chance.randrange(10 ** chance.randrange(1, 19))

    def one(key: int) -> dict[Resource, Any]:
        text = some_text(chance)
        return {
            Resource.CATEGORIES: Category(key, text, chance.choice((None, some_text(chance)))),
            Resource.PETS: Pet(key, text, chance.choice((None, 999, *ids)), chance.choice((None, "sold", "=on loan"))),
            Resource.ORDERS: Order(
                key, chance.choice(ids), number(), chance.choice(DATES), chance.choice((None, True, False))
            ),
            Resource.INVENTORY: InventoryItem(key, number(), "sold"),
        }

    made = [one(key) for key in ids]
    return {resource: [each[resource] for each in made] for resource in Resource}


def rows_of(records: list[Any]) -> list[Row]:
    """Records as the mirror has them."""
    return [Row(one.pet_id if isinstance(one, InventoryItem) else one.id, one, 0.0) for one in records]


class Shop:
    """One shop, exported to a folder."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self.lists = some_shop(chance)
        self.desk = new_desk()
        for resource, records in self.lists.items():
            apply_event(self.desk, RowsChanged("shop", resource, tuple(rows_of(records))))
        pets = {pet.id: pet.name for pet in self.lists[Resource.PETS]}
        self._names = RecordNames(pets, {one.id: one.name for one in self.lists[Resource.CATEGORIES]})
        self.csv = [self._export(folder, resource, "csv") for resource in Resource]
        self.xlsx = [self._export(folder, resource, "xlsx") for resource in Resource]

    def _export(self, folder: Path, resource: Resource, format_: Format) -> Path:
        path = folder / f"{resource}.{format_}"
        file = RecordsFile(path, resource, format_)
        file.write([cells(resource, row, self._names) for row in rows_of(self.lists[resource])])
        file.finish(len(self.lists[resource]))
        return path

    def differences(self, path: Path) -> list[str]:
        """What an import of this file would do."""
        sheet = read_sheet(path, SheetOptions(), lambda _: None)
        made = Import(
            self.desk,
            sheet,
            guess_layout(sheet, self.desk.shop, Resource(path.name.partition(".")[0].partition("-")[0])),
        )
        for _ in made.compare():
            pass
        judged = [(place, made.judged(place)) for place in made.places()]
        return [
            f"{path.name}, row {place + 1} {sheet.rows[place]}: {one}"
            for place, one in judged
            if one and one.kind != "same"
        ]


def formulas(path: Path) -> list[str]:
    """The cells of a workbook that a spreadsheet works out."""
    from openpyxl import load_workbook

    book: Any = load_workbook(path)
    return [
        f"{path.name} {cell.coordinate}: {cell.value}"
        for sheet in book
        for row in sheet
        for cell in row
        if cell.data_type == "f"
    ]


def one_round(office: Office, chance: random.Random, folder: Path, counts: Counter[str]) -> list[str]:
    """One shop through all filters; what went wrong."""
    folder.mkdir()
    shop = Shop(chance, folder)
    ways = {
        "workbook to ODS and back": office.convert(office.convert(shop.xlsx, "ods"), "xlsx"),
        "workbook to CSV": office.convert(shop.xlsx, TO_CSV),
        "CSV to workbook": office.convert(shop.csv, "xlsx", AS_TEXT),
        "CSV to ODS and back": office.convert(office.convert(shop.csv, "ods", AS_TEXT), TO_CSV),
    }
    wrong: list[str] = []
    for way, files in ways.items():
        for file in files:
            found = shop.differences(file)
            counts[way] += RECORDS
            wrong += [f"{way}: {one}" for one in found]
    for file in office.convert(shop.csv, "xlsx"):
        counts["files opened by LibreOffice's own lights"] += 1
        wrong += [f"a formula: {one}" for one in formulas(file)]
    return wrong


def main(argv: list[str]) -> int:
    """Shops until the time is over, or a whole count of them."""
    run: Run = run_from(argv, "office")
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        say("office: not run: no LibreOffice here (soffice)")
        return NOT_RUN
    chance, counts, wrong, number = random.Random(run.seed), Counter[str](), list[str](), 0
    with tempfile.TemporaryDirectory(prefix="petstore-office-") as name:
        office = Office(program, Path(name))
        while run.goes_on() and not (run.full and number == ROUNDS) and not wrong:
            wrong = one_round(office, chance, Path(name) / f"shop-{number}", counts)
            number += 1
    for way, count in counts.items():
        say(f"  {way}: {count} rows" if "opened" not in way else f"  {way}: {count}, no formula in them")
    for one in wrong[:10]:
        say(f"  wrong: {one}")
    say(f"office: {number} shops, {'all came back as they were' if not wrong else f'{len(wrong)} differences'}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
