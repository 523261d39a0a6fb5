"""The check of a connection in the person's language: the texts are those of `desk/checks/check_words.py`."""

from __future__ import annotations

import time

from petstore_desktop import log
from petstore_desktop.desk.checks import check_words, sample_words
from petstore_desktop.domain.checks import About, Check, CheckReport, Sample
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import duration, near_moment
from petstore_desktop.ui.text.translate import listed, number, sentences, tr


class WindowVoice:
    """How the window says it."""

    def say(self, text: str, **params: object) -> str:
        """In the person's language, if there is a translation."""
        return tr(text).format(**params) if params else tr(text)

    def number(self, value: int) -> str:
        """By locale."""
        return number(value)

    def moment(self, epoch_s: float) -> str:
        """By locale; another day is named."""
        return near_moment(epoch_s, time.time())

    def length(self, seconds: float) -> str:
        """`2 h 0 min`."""
        return duration(seconds)

    def foreign(self, text: str) -> str:
        """What others have written, plain and kept apart in its direction."""
        return isolate(plain(log.redact(text)))

    def other(self, error: ShopError) -> tuple[str, str]:
        """In the words that the window has for the error."""
        words = error_words(error)
        return log.redact_sentence(words.what), log.redact_sentence(words.do)


_VOICE = WindowVoice()


def said_words(check: Check) -> str:
    """The finding."""
    return check_words.said(check, _VOICE)


def advice_words(check: Check) -> str:
    """What to do; empty where nothing is to be done."""
    return check_words.advice(check, _VOICE)


def title_words(about: About) -> str:
    """The subject."""
    return check_words.title(about, _VOICE)


def summary_words(report: CheckReport) -> str:
    """What can and what cannot be done there; empty where that is not known."""
    return check_words.summary(report, _VOICE)


def sample_rows(sample: Sample) -> list[list[str]]:
    """The titles of the columns, and a row of values for each pet."""
    return [sample_words.titles(_VOICE), *(sample_words.cells(pet, _VOICE, sample.categories) for pet in sample.pets)]


def sample_remarks(sample: Sample) -> list[str]:
    """The sentences about fields that were not understood and operations that cannot be done."""
    return sample_words.remarks(sample, _VOICE)


def value_notes(value: ServiceValue) -> tuple[str, str]:
    """What a value is, in the document's own words and by what needs it; and an example of it."""
    needed = listed(check_words.missing_words(value.operations, _VOICE))
    words = plain(value.description).strip()
    ended = words.endswith((".", "!", "?", "…", "。"))
    described = words and (isolate(words) if ended else tr("{sentence}.", sentence=isolate(words)))
    note = tr("Not possible without it: {what}.", what=needed) if needed else ""
    example = tr("for example {example}", example=isolate(plain(value.example))) if value.example else ""
    return sentences(described, note), example


def took_words(report: CheckReport) -> str:
    """How many requests it took."""
    if not report.requests:
        return tr("Nothing was sent.")
    return tr("It took {n} requests, all of them reads.", "", report.requests, one="It took one request, a read.")


def support_words(name: str, url: str, report: CheckReport) -> str:
    """All of it as text to copy, without any secret."""
    lines = [log.redact_sentence(f"{plain(name)}  {plain(url)}")]
    for check in report.checks:
        words = sentences(said_words(check), advice_words(check))
        lines.append(f"{check_words.mark(check):5}  {title_words(check.about)}: {words}")
    lines += sample_remarks(report.sample)
    isolates = {0x2068: None, 0x2069: None}  # marks for the eye, not for a text that is pasted elsewhere
    return "\n".join([*lines, took_words(report)]).translate(isolates) + "\n"
