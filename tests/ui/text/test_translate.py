"""Codes become sentences: every error says what happened, what is safe and what to do; times and numbers by locale."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.desk.filters.column_filters import SPECIALS, spellings
from petstore_desktop.desk.values.cells import CellFacts, Chip, Sentence
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain import errors
from petstore_desktop.domain.changes import NEVER_SENT, UNPROVEN, ChangeState
from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.errors import ServiceError, ShopError
from petstore_desktop.domain.quota import Quota, Window
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.status.quota_meter import left_words
from petstore_desktop.ui.text import orders as words_order
from petstore_desktop.ui.text import status as words_state
from petstore_desktop.ui.text import times as words_time
from petstore_desktop.ui.text import translate as words
from petstore_desktop.ui.text.changes import change as words_change
from petstore_desktop.ui.text.changes import undo as words_undo
from petstore_desktop.ui.text.errors import errors as words_errors
from petstore_desktop.ui.text.errors.operations import day_words
from petstore_desktop.ui.text.localize import localize
from tests.desk.shopkit import new_desk
from tests.support.patience import PATIENCE_S

NOW = datetime(2025, 11, 21, 14, 2, tzinfo=UTC).timestamp()


def all_errors() -> Iterator[ShopError]:
    """One of each kind that the program knows."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, ShopError)]
    for kind in kinds:
        if kind is ShopError:
            continue
        if issubclass(kind, ServiceError):
            yield kind(status=499, message="<b>sorry</b>", raw="{}")
        else:
            yield kind()


def test_what_an_error_says_of_itself_is_read_each_time() -> None:
    error = ShopError(field="quantity")
    assert words.param(error, "field") == "quantity"
    error.params["field"] = "name"
    assert words.param(error, "field") == "name"
    gone = weakref.ref(error)
    del error
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("error", list(all_errors()), ids=lambda error: type(error).__name__)
def test_every_error_says_what_happened_and_what_is_safe(error: ShopError) -> None:
    said = words_errors.error_words(error)
    assert said.what.endswith(".") or ":" in said.what
    assert said.safe
    assert said.what != words_errors.error_words(RuntimeError()).what
    if isinstance(error, ServiceError):
        assert "“<b>sorry</b>”" in said.what


def test_a_ban_is_no_mere_wait() -> None:
    waits, banned, forbidden = (
        words_errors.error_words(kind(status=status, message="no"))
        for kind, status in ((errors.RateLimited, 429), (errors.RateLimited, 403), (errors.Forbidden, 403))
    )
    assert len({waits.what, banned.what, forbidden.what}) == 3
    assert "banned" in banned.what and "If it happens again" in banned.do


def test_an_error_nobody_expected_keeps_its_text_for_the_details() -> None:
    said = words_errors.error_words(KeyError("missing"))
    assert "KeyError" in said.what
    assert "missing" in said.raw


def test_control_signs_of_the_service_are_made_visible() -> None:
    assert "\u202e" not in words.service_words("a\u202eb", 400)
    assert words.service_words("", 400) == "status 400"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(47, "0:47"), (46.2, "0:47"), (0, "0:00"), (-3, "0:00"), (725, "12:05"), (3599.5, "1 h"), (3723, "1 h 3 min")],
)
def test_a_countdown_never_says_zero_too_early(seconds: float, said: str) -> None:
    assert words_time.countdown(seconds) == said


def test_days_near_today_have_names() -> None:
    today = date(2025, 11, 21)
    said = [words_time.day(date(2025, 11, day), today) for day in (20, 21, 22, 24)]
    assert said == ["Yesterday", "Today", "Tomorrow", "Mon 24 Nov"]
    assert words_time.day(date(2024, 11, 18), today) == "Mon 18 Nov 2024"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1, "1 min"),
        (59 * 60, "59 min"),
        (59 * 60 + 1, "1 h"),
        (7 * 3600 + 11.5 * 60, "7 h 12 min"),
        (48 * 3600, "2 days"),
        (48 * 3600 + 60, "2 days 1 h"),
        (71.5 * 3600, "3 days"),
    ],
)
def test_a_duration_is_rounded_up_to_what_people_say(seconds: float, said: str) -> None:
    assert words_time.duration(seconds) == said


def test_a_time_of_the_day_before_or_after_is_named_with_its_day(british: None) -> None:
    noon = datetime(2025, 11, 21, 12, 0).astimezone().timestamp()
    said = [words_time.moment(noon + 86_400 * days, noon) for days in (-1, 0, 1, 2)]
    assert said == ["yesterday 12:00", "12:00", "12:00 tomorrow", "Sun 23 Nov 12:00"]


def test_numbers_are_grouped_and_have_a_true_minus(british: None) -> None:
    assert words.number(1_904) == "1,904"
    assert words.number(-(2**63)) == "−9,223,372,036,854,775,808"
    assert (words.signed(12), words.signed(-3)) == ("+12", "−3")


def test_where_no_locale_is_set_numbers_are_grouped_all_the_same() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale.c())
    try:
        assert words.number(10_000) == "10,000"
        assert words_time.clock_time(NOW).count(":") == 1
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt_BR", "ar", "ja"])
def test_a_count_that_may_be_larger_says_so_in_every_sentence(qapp: QApplication, language: str) -> None:
    before, direction = QLocale(), qapp.layoutDirection()
    words.speak(qapp, language)
    try:
        for n in (1, 2, 3, 40):
            said = words.counted(Resource.ORDERS, AtLeast(n))
            assert words.number(AtLeast(n)) in said
            assert words.number(AtLeast(n)) != words.number(n)
        assert language != "en" or words.counted(Resource.ORDERS, AtLeast(1)) == "1+ orders"
    finally:
        words.speak(qapp, "en")
        QLocale.setDefault(before)
        qapp.setLayoutDirection(direction)


def test_one_and_many_differ() -> None:
    assert [words.counted(Resource.PETS, n) for n in (0, 1, 2)] == ["0 pets", "1 pet", "2 pets"]


def test_a_translation_replaces_the_sentence_and_its_singular(qapp: QCoreApplication) -> None:
    class Shouting(QTranslator):
        def translate(self, context: str, text: str, comment: str | None = None, n: int = -1) -> str:
            return text.upper().replace("{N}", "{n}") if text == "{n} pets" else ""

        def isEmpty(self) -> bool:
            return False

    translator = Shouting()
    qapp.installTranslator(translator)
    try:
        assert words.counted(Resource.PETS, 1) == "1 PETS"
    finally:
        qapp.removeTranslator(translator)


def test_every_state_of_a_change_has_its_sentence() -> None:
    codes = (
        "unsent", "behind-another", "job-paused", "sending", "sent", "refused", "conflict", "uncertain", "unsettled",
        "perhaps-theirs", "found-alike",
    )  # fmt: skip
    params = {"id": 7, "at": NOW, "next": True, "message": "no", "status": 400, "theirs": (("quantity", 6),)}
    said = [words_change.change_sentence(f"change.{code}", params, NOW, None) for code in codes]
    assert len(set(said)) == len(codes)
    assert not any(sentence.startswith("change.") for sentence in said)
    assert "In stock is 6" in said[6]
    readings = {
        words_change.change_sentence("change.unproven", {"seen": seen, "booked": booked, "denied": denied}, NOW, None)
        for seen in UNPROVEN
        for booked, denied in ((5, False), (5, True), (None, False))
    }
    assert len(readings) == 6
    assert sum("The service said no" in one for one in readings) == 1
    both = [one for one in readings if not one.startswith("The service accepted it")]
    assert len(both) == 5 and all("Either" in one and ("+5" in one or "yours" in one) for one in both)
    assert len(ChangeState) == 7  # a new state needs a sentence here


def test_what_the_program_held_back_is_not_said_to_be_refused_by_the_service() -> None:
    late, refused = ({"code": code, "message": "", "status": None} for code in ("look-too-slow", "stayed"))
    said = words_change.change_sentence("change.refused", late, NOW, None)
    assert said.startswith("Not sent: ") and "Your change is kept here." in said and "Sent again, it rests on" in said
    assert "the service takes too long" not in said
    unseen = {"code": "cannot-look", "message": "", "status": None}
    assert words_change.change_sentence("change.refused", unseen, NOW, None).startswith("Not sent: ")
    assert words_change.change_sentence("change.refused", refused, NOW, None).startswith("Refused: ")


def order(code: str, **params: object) -> str:
    pet = CellFacts(kind="ref", text="Koi", ref_id="1234")
    given = {"quantity": 2, "pet": pet, "day": date(2025, 11, 18), "today": date(2025, 11, 21), "days": 3, **params}
    return words_order.order_sentence(Sentence(f"order.{code}", given)).replace("\u2068", "").replace("\u2069", "")


def test_an_order_is_said_in_one_sentence_to_read_out() -> None:
    assert order("late") == (
        "The order for 2 Koi was due on Tuesday 18 November. It is not fulfilled yet and is 3 days late."
    )
    assert "is complete" in order("complete")
    for code in ("late", "due", "complete"):
        assert "18 November 2024" in order(code, day=date(2024, 11, 18), days=368)
        assert "2025" not in order(code)
    assert "no ship date" in order("open-no-date", day=None)
    assert order("unknown", pet=None, quantity=None).startswith("This order")


def test_undo_names_the_record_and_the_change() -> None:
    params = {"title": "Koi", "ref_id": "1234", "field": "stock", "chip": Chip("add", 12)}
    said = words_undo.undo_words(Sentence("undo.stock", params)).replace("\u2068", "").replace("\u2069", "")
    assert said == "+12 of Koi (#1234)"
    several = {**params, "first": "undo.stock"}
    many = [Sentence("undo.many", {**several, "count": n, "source": source}) for n, source in ((3, ""), (1, ""))]
    many.append(Sentence("undo.many", {**several, "count": 6, "source": "import:a&b.csv"}))
    bare = [words_undo.undo_words(one).translate({0x2068: None, 0x2069: None}) for one in many]
    assert bare == ["+12 of Koi (#1234) and 2 more changes", "1 change", "Import of a&&b.csv, 6 changes"]


def test_undo_names_an_order_by_its_number() -> None:
    params = {"resource": Resource.ORDERS, "title": "", "ref_id": "1045", "field": "ship_date"}
    said = [words_undo.undo_words(Sentence(f"undo.{kind}", params)) for kind in ("delete", "field")]
    assert said == ["delete order 1045", "Ship date of order 1045"]


def test_an_ampersand_in_a_name_makes_no_mnemonic() -> None:
    said = words_undo.undo_words(Sentence("undo.create", {"title": "Bed & Pet", "ref_id": ""}))
    assert "Bed && Pet" in said


def test_an_own_count_and_an_unknown_window_are_named_as_such() -> None:
    assert left_words(Window()) == "limit unknown"
    _, day = words_state.quota_tips(Quota(Window(), Window(1000, 900, None, own_count=True)), NOW)
    assert "this computer’s own count" in day


@pytest.mark.parametrize("code", [*sorted(NEVER_SENT - {"unknown-field"}), "no-such-record", "gone"])
def test_a_change_that_was_refused_here_says_why_and_never_quotes_a_service(code: str) -> None:
    params = {"code": code, "message": "", "status": None}
    words = words_change.change_sentence("change.refused", params, 0.0, None)
    assert words.startswith("Not sent: " if code in NEVER_SENT else "Refused: ")
    assert "\u201c" not in words  # nothing is quoted: no service said a word


def test_every_cause_of_silence_and_every_keyring_trouble_has_its_own_words() -> None:
    causes: list[ShopError] = [errors.Unreachable(why=why) for why in ("name", "refused", "timeout", "tls", "proxy")]
    causes.append(errors.Unreachable("demo-failed", why="x"))
    codes = ("keyring-absent", "keyring-locked", "keyring-silent", "keyring-lost", "keyring-refused")
    said = [words_errors.error_words(error).what for error in (*causes, *(errors.KeyringError(code) for code in codes))]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("name", "near", "whole", "ending", "spoken"),
    [
        ("en_US", "Wed, Sep 2", "Wed, Sep 2, 2026", "Sep 2, 2026", "Wednesday, September 2"),
        ("en_GB", "Wed 2 Sept", "Wed 2 Sept 2026", "2 Sept 2026", "Wednesday 2 September"),
        ("de_DE", "Mi., 2. Sept.", "Mi., 2. Sept. 2026", "2. Sept. 2026", "Mittwoch, 2. September"),
        ("fr_FR", "mer. 2 sept.", "mer. 2 sept. 2026", "2 sept. 2026", "mercredi 2 septembre"),
        ("es_ES", "mié, 2 sept", "mié, 2 sept 2026", "2 sept 2026", "miércoles, 2 de septiembre"),
        ("pt_BR", "qua., 2 de set.", "qua., 2 de set. de 2026", "2 de set. de 2026", "quarta-feira, 2 de setembro"),
        ("ja_JP", "9月2日(水)", "2026年9月2日(水)", "2026年9月2日", "9月2日水曜日"),
    ],
)
def test_a_date_has_the_order_and_the_signs_of_the_locale(
    name: str, near: str, whole: str, ending: str, spoken: str
) -> None:
    before, on = QLocale(), date(2026, 9, 2)
    QLocale.setDefault(QLocale(name))
    try:
        assert words_time.day(on, date(2026, 11, 22)) == near
        assert words_time.full_day(on) == words_time.day(on, date(2027, 1, 1)) == whole
        assert day_words(on) == ending
        assert words_time.date_text(on, "dddd MMMM") == spoken
        first = words_time.date_text(on.replace(day=1), "MMM")
        assert first.startswith("1er ") is (name == "fr_FR")
    finally:
        QLocale.setDefault(before)


def test_seconds_stand_behind_the_sign_of_the_locale() -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("fi_FI"))
    try:
        assert words_time.clock_time(datetime(2026, 9, 2, 14, 2, 32).timestamp(), seconds=True) == "14.02.32"
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Bestellungen|3 Tiere|LeftToRight"),
        ("ja", "注文|ペット3件|LeftToRight"),
        ("ar", "RightToLeft"),
        ("xx", "Orders|3 pets|LeftToRight"),
    ],
)
def test_the_window_speaks_a_chosen_language_from_its_own_side(app: QApplication, language: str, said: str) -> None:
    words.speak(app, language)
    spoken = (words.tr("Orders"), words.tr("{n} pets", "", 3), app.layoutDirection().name)
    assert "|".join(spoken).endswith(said)


HERE = """
import os, sys
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from petstore_desktop.ui.text.translate import speak, tr
for case in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    system, languages, chosen = case.split("|")
    os.environ.update(LANG=f"{system}.UTF-8", LC_ALL=f"{system}.UTF-8", LANGUAGE=languages)
    application = QApplication(["x"])
    speak(application, chosen or None)
    print(tr("Orders"), QLocale().name(), application.layoutDirection().name, sep="|", flush=True)
    os._exit(0)
"""
"""Qt reads the languages of the system once: each case has a process, but they start together."""


CLOCK = (
    HERE.replace(
        'print(tr("Orders"), QLocale().name(), application.layoutDirection().name, sep="|", flush=True)',
        "print(clock_time(1_764_000_000.0 + 3600 * 11), time_of(time(14, 2)), sep='|', flush=True)",
    )
    .replace("import os, sys", "import os, sys\nfrom datetime import time\nos.environ['TZ'] = 'UTC'")
    .replace("import speak, tr", "import speak, tr\nfrom petstore_desktop.ui.text.times import clock_time, time_of")
)


def test_another_language_of_the_words_keeps_the_hours_of_the_computers_clock() -> None:
    """Without a locale "14:02" became "2:02 PM" with English words, and a German computer's with Arabic ones."""
    for system, chosen, expected in (
        ("C", "", "03:00|14:02"),
        ("C", "en", "03:00|14:02"),
        ("de_DE", "en", "03:00|14:02"),
        ("en_US", "de", "3:00 AM|2:02 PM"),
        ("en_US", "en", "3:00 AM|2:02 PM"),
        ("en_GB", "ja", "03:00|14:02"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", CLOCK, f"{system}||{chosen}"], capture_output=True, check=True, timeout=PATIENCE_S
        )
        said = done.stdout.decode().strip().replace("\u202f", " ").replace("\u00a0", " ")
        assert said == expected or (chosen == "ja" and said == "3:00|14:02"), (system, chosen)


DAYS = HERE.replace(
    'print(tr("Orders"), QLocale().name(), application.layoutDirection().name, sep="|", flush=True)',
    "print(QLocale().toString(QDate(2026, 11, 27), QLocale.FormatType.ShortFormat), QLocale().toString(1904), "
    "sep='|', flush=True)",
).replace("import QLocale", "import QDate, QLocale")


def test_who_chooses_english_does_not_get_the_days_and_numbers_of_the_united_states() -> None:
    """Without a locale, and where Qt knows no English of the place, "11/27/26" and "1,904" came with it."""
    cases = {
        "C||en": "27/11/2026|1,904",
        "pt_BR||en": "27/11/2026|1.904",
        "ru_RU||en": "27/11/2026|1\u00a0904",
        "zh_CN||en": "2026-11-27|1,904",
        "bn_BD||": "27/11/2026|1,904",
        "en_US||en": "11/27/26|1,904",
    }
    done = subprocess.run([sys.executable, "-c", DAYS, *cases], capture_output=True, check=True, timeout=PATIENCE_S)
    assert dict(zip(cases, done.stdout.decode().splitlines(), strict=True)) == cases


def test_the_first_wanted_language_that_there_is_is_spoken_and_the_persons_country_decides_the_forms() -> None:
    cases = {
        "en_GB||en": "Orders|en_GB|LeftToRight",
        "de_CH||de": "Bestellungen|de_CH|LeftToRight",
        "ar_MA||ar": "الطلبيات|ar_MA|RightToLeft",
        "de_DE||en": "Orders|en_DE|LeftToRight",
        "pt_PT||": "Pedidos|pt_PT|LeftToRight",
        "pt_PT||pt_BR": "Pedidos|pt_BR|LeftToRight",
        "de_DE|en:de|": "Orders|en_US|LeftToRight",
        "ar_EG|en:ar|": "Orders|en_US|LeftToRight",
        "it_IT|it:fr|": "Commandes|it_IT|LeftToRight",
    }
    done = subprocess.run([sys.executable, "-c", HERE, *cases], capture_output=True, check=True, timeout=PATIENCE_S)
    assert dict(zip(cases, done.stdout.decode().splitlines(), strict=True)) == cases


@pytest.mark.parametrize("language", ["de", "fr", "es", "pt_BR", "ar", "ja"])
def test_words_of_filters_are_known_in_the_persons_language_and_in_english(app: QApplication, language: str) -> None:
    words.speak(app, language)
    desk = new_desk()
    localize(desk)
    for column, specials in SPECIALS.items():
        for resource in Resource:
            known = spellings(resource, column, desk.shop.filter_words)
            for code, word in specials.items():
                if word.only in (None, resource):
                    said = desk.shop.filter_words[code]
                    assert said != code and " " not in said
                    assert known.get(code) == known.get(fold(said)) == code


def test_a_sentence_ends_with_one_full_stop_after_a_word_that_has_its_own() -> None:
    assert words.tr("Sent {time}.", time="3 nov.") == "Sent 3 nov."
    assert words.tr("Sent {time}.", time="14:02") == "Sent 14:02."
    assert words.tr("{day}   >{day}   {day}..{last}", day="3 nov.", last="4 nov.").endswith("3 nov...4 nov.")
    assert words.tr("{n} so far", "", 2) == "2 so far"


def test_a_countdown_is_in_the_digits_of_the_language(qapp: QApplication) -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale("ar_EG"))
        assert words_time.countdown(47) == "\u0660:\u0664\u0667"
        QLocale.setDefault(QLocale("de_DE"))
        assert words_time.countdown(725) == "12:05"
    finally:
        QLocale.setDefault(before)


def test_margins_follow_the_direction_of_reading(qapp: QApplication) -> None:
    before = qapp.layoutDirection()
    try:
        for direction, left in ((Qt.LayoutDirection.LeftToRight, 16), (Qt.LayoutDirection.RightToLeft, 4)):
            qapp.setLayoutDirection(direction)
            box = QWidget()
            assert in_row(box, margins=(16, 1, 4, 2)).contentsMargins().left() == left
            box.deleteLater()
    finally:
        qapp.setLayoutDirection(before)
