"""M5, the weekly report as a PDF, by key events alone; its figures are those of the shop's own database."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from petstore_desktop.domain.records import Resource
from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.program.test_keyboard_runs import Hands
from tests.support.pdf_text import PdfReader
from tests.support.shop import Shop

MOST_KEYS = 11
"""Ten, and a tenth more."""


def _figures(shop: Shop) -> dict[str, int]:
    """What the report says of now, from the shop's books."""
    today = datetime.now().astimezone().date()
    open_ = [date for (date,) in shop.rows("SELECT ship_date FROM orders WHERE complete = 0")]
    days = [datetime.fromisoformat(date).astimezone().date() for date in open_ if date is not None]
    ((pets,),) = shop.rows("SELECT count(*) FROM pets")
    ((pieces, none),) = shop.rows("SELECT sum(quantity), sum(quantity <= 0 AND status IS NOT 'sold') FROM inventory")
    return {
        "Pets": pets,
        **{str(status): count for status, count in shop.rows("SELECT status, count(*) FROM pets GROUP BY status")},
        "Pieces in stock": pieces,
        "None left": none,
        "Open orders": len(open_),
        "Overdue orders": sum(day < today for day in days),
    }


def test_m5_the_weekly_report_as_a_pdf_says_what_stands_in_the_shops_database(tmp_path: Path) -> None:
    data, home = tmp_path / "data", tmp_path / "home"
    home.mkdir()
    with Shop(tmp_path / "shop", plan="unlimited", pets=200) as shop:
        connect(data, shop, read=True)
        env = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "LC_ALL": "C"}
        with Opened(data, "--connection", "Shop", key=shop.key, env=env) as program:
            for resource in Resource:
                count = shop.rows(f"SELECT count(*) FROM {resource.value}")[0][0]
                until(lambda r=resource.value, n=count: program.ask("known", r) == n, f"all {resource.value} are here")
            before, hands = len(shop.log_lines()), Hands(program)
            hands.jump("week")
            program.wait("widget", "reportDialog")
            hands.press("Ctrl+P", "Return")
            (made,) = until(lambda: list((home / "Documents").glob("Shop Report *.pdf")), "the report is saved")
            assert hands.counted() <= MOST_KEYS
            until(lambda: not program.ask("dialogs"), "the dialog closes")
            assert len(shop.log_lines()) == before, "a report costs no request"
            pdf = PdfReader(made.read_bytes())
            said = [run.text for run in pdf.pages()[0]]
            for words, value in _figures(shop).items():
                assert said[said.index(words) + 2] == f"{value:,}", (words, said)
            assert pdf.title.startswith("Report, ")
