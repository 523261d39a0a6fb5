"""`petstore-desktop report NAME --week last --out FILE`: a report as a PDF, from what is kept here. No request and no
window; one may be open."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING

from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.sentences import STDOUT, find_connection, note
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.load_state import kept_load
from petstore_desktop.desk.report.period import Period, PeriodKind, period_of
from petstore_desktop.desk.report.report import Past, first_day_of_totals, known_since, past_of
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Resource, calendar_moment
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.preferences import PreferenceStore
from petstore_desktop.regular_files import named_path
from petstore_desktop.session.session import service_address
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.minimums import valid_minimums
from petstore_desktop.store.mirror.reader import MirrorReader

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import ShopConnection


def report(data_dir: str | None, name: str, days: PeriodKind | Period, out: str) -> int:
    """Do it; `out` "-": to stdout. The exit code: 1 where the history knows nothing of these days. Raises BadInput,
    StorageError."""
    places, connection = find_connection(data_dir, name)
    if out == STDOUT and sys.stdout.isatty():
        raise BadInput("needs-out", format="pdf")
    from petstore_desktop.ui.report.report_pages import pdf_of, start_without_window
    from petstore_desktop.ui.text.localize import localize
    from petstore_desktop.ui.text.translate import speak

    application = start_without_window()
    speak(application, PreferenceStore(places.preferences).load().language)
    desk = Desk(connection.slug, SystemClock())
    localize(desk)
    _fill(desk, places, connection)
    period = days if isinstance(days, Period) else period_of(days, desk.today, desk.shop.here.first_weekday)
    past = _past(desk, places, connection, period)
    if past.since is None:
        first = past.span.first
        begins = "there is none yet"
        if first is not None:
            begins = time.strftime("it begins %Y-%m-%d %H:%M", time.localtime(calendar_moment(first)))
        note(f"the history knows nothing of {period.first} to {period.last}: {begins}; nothing was written")
        return 1
    pages, content = pdf_of(desk, connection.name, period, past)
    del application
    where = _written(content, out)
    unsent = "what is not sent yet is not counted"
    note(f"{period.first} to {period.last} of {connection.name}, {pages} pages, are in {where}; {unsent}")
    return 0


def _written(content: bytes, out: str) -> str:
    """Where it is now; `-` is stdout."""
    if out != STDOUT:
        return str(keep_whole(named_path(out), content, over=True, make_folder=False))
    sys.stdout.buffer.write(content)
    return "standard output"


def _fill(desk: Desk, places: Places, connection: ShopConnection) -> None:
    """Show all rows that are kept here, and the stock that is wanted."""
    address = service_address(connection)
    with closing(MirrorReader(places.mirror(connection.slug), address)) as reader:
        for resource in Resource:
            facts = reader.facts(resource)
            for rows in reader.stream(resource):
                desk.show_rows(resource, tuple(rows))
            desk.set_load(resource, kept_load(facts.as_of, facts.gaps))
    if not any(desk.load(one).as_of for one in Resource):
        raise BadInput("nothing-kept", resource=Resource.PETS.value, name=connection.name)
    desk.set_minimums(valid_minimums(places.minimums(connection.slug, address)))


def _past(desk: Desk, places: Places, connection: ShopConnection, period: Period) -> Past:
    begin, end = period.moments(desk.shop.zone)
    end = min(end, desk.now())
    with closing(PastReader(places.history(connection.slug), service_address(connection))) as reader:
        span = reader.span()
        since = known_since(span, begin, end)
        if since is None:
            return Past(span, None, None, (), None)
        days = reader.totals(first_day_of_totals(period), period.last)
        return past_of(period, span, since, reader.changes_between(since, end), days)
