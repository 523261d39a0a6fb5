"""Checks a connection for a command, and puts the report into English."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from petstore_desktop import log
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.sentences import clock_time, sentence, tell, typed
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.check_words import advice, said, title
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.checks import Check, CheckReport
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.checking import Checking, CheckOutcome, Wanted, write_down


class English:
    """How the commands put checks into words."""

    def say(self, text: str, **params: object) -> str:
        """A text with its parameters filled in."""
        return text.format(**params) if params else text

    def number(self, value: int) -> str:
        """`1,000`."""
        return f"{value:,}"

    def moment(self, epoch_s: float) -> str:
        """`14:02:11`, with the date where it is another day, in this computer's zone."""
        return clock_time(epoch_s, time.time())

    def length(self, seconds: float) -> str:
        """`2 h 0 min`, `7 min`."""
        minutes = round(seconds / 60)
        return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"

    def foreign(self, text: str) -> str:
        """On one line, with invisible signs made visible."""
        return visible(log.redact(text))

    def other(self, error: ShopError) -> tuple[str, str]:
        """From the sentence of the error."""
        head, _, rest = log.redact_sentence(sentence(error, named=False)).partition("; ")
        safe, stop, do = rest.partition(". ")
        what = f"{head}; {safe}" if stop else head
        return _whole(what), _whole(do if stop else rest)


def _whole(words: str) -> str:
    return f"{words[0].upper()}{words[1:].rstrip('.')}." if words else ""


Hint: TypeAlias = Callable[[Check], str]
"""What else is to be done about a check, on the command line; empty for nothing."""


def hint_of(name: str, *, variable: bool, stored: bool) -> Hint:
    """For the connection of this name. `variable`: its key is the one in `PETSTORE_API_KEY`; `stored`: it is in the
    keyring, where it is kept for this address alone."""

    def hint(check: Check) -> str:
        if check.ok is not False:
            return ""
        if check.code == "base-path":
            again = " --key-stdin" if stored else ""
            url = typed(str(check.params["url"]))
            return f"Type `petstore-desktop connect {typed(name)} --url {url}{again}`."
        if check.code in ("document-place", "document-values"):
            return "On the command line `petstore-desktop connect --value NAME=VALUE` takes it."
        return "It is the key in PETSTORE_API_KEY." if variable and check.code == "key-rejected" else ""

    return hint


def advice_on(check: Check, hint: Hint) -> str:
    """What to do about a check."""
    return f"{advice(check, English())} {hint(check)}".strip()


def one_line(check: Check, hint: Hint = lambda _: "") -> str:
    """The finding and the advice, without line breaks."""
    return " ".join(f"{said(check, English())} {advice_on(check, hint)}".split())


def wrong_lines(report: CheckReport, hint: Hint = lambda _: "") -> list[str]:
    """The problems, each with the name of its check."""
    texts = English()
    return [f"{title(check.about, texts)}: {one_line(check, hint)}" for check in report.checks if check.ok is False]


def checked(places: Places, connection: ShopConnection, wanted: Wanted) -> CheckOutcome:
    """Check a connection, record the requests that were sent, and report a problem with a file on stderr."""
    clock = SystemClock()
    outcome = Checking(places, wanted, clock).run()
    if outcome.sent:
        write_down(places, connection.slug, outcome.sent, clock.now().wall)
    tell(outcome.trouble)
    return outcome
