"""The command line says what went wrong in the person's language; what scripts read stays English."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    BadInput,
    DocumentUnusable,
    KeyRejected,
    KeyringError,
    ServiceError,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.ui.text.translate import without_window
from tests.commands.test_import import connected, table
from tests.program.running import command
from tests.support.shop import Shop

ENGLISH = {"the", "was", "is", "nothing", "and", "needs"}
BEGINS = {
    "de_DE.UTF-8": "es gibt keine Verbindung namens nosuch",
    "fr_FR.UTF-8": "aucune connexion ne s’appelle nosuch",
    "es_ES.UTF-8": "no hay ninguna conexión llamada nosuch",
    "pt_BR.UTF-8": "não há conexão chamada nosuch",
    "ar_EG.UTF-8": "لا يوجد اتصال باسم nosuch",
    "ja_JP.UTF-8": "nosuchという接続はありません",
    "it_IT.UTF-8": "there is no connection called nosuch",
    "C.UTF-8": "there is no connection called nosuch",
}
ERRORS: tuple[ShopError, ...] = (
    Unreachable(host="shop.example", why="refused"),
    KeyRejected(status=401, message="revoked"),
    KeyringError("keyring-locked"),
    KeyringError("keyring-locked", reading=True, name="Zoo"),
    KeyringError("keyring-absent", forgetting=True),
    StorageError("disk-full", path="shop.db", why="no room"),
    StorageError("too-new", path="shop.db", version=2, known=1),
    AnswerUnusable("answer-not-json", operation="pets.list"),
    DocumentUnusable("document-not-openapi"),
    ServiceError(status=500, message="sorry"),
    BadInput("name-empty"),
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with Shop(tmp_path / "shop", plan="unlimited", pets=3) as shop:
        yield shop


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system speaks German, as far as Qt tells: it reads that once in each process."""
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("de_DE"))


def test_the_language_is_what_the_environment_says(tmp_path: Path) -> None:
    env = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": ""}
    done = command("doctor", "nosuch", "--data-dir", str(tmp_path), env=env, process=True)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"petstore-desktop: {BEGINS['de_DE.UTF-8']}"), done.stderr


@pytest.mark.parametrize("language", BEGINS)
def test_an_error_is_said_in_the_language_of_the_system(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(language.partition(".")[0]))
    done = command("doctor", "nosuch", "--data-dir", str(tmp_path))
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"petstore-desktop: {BEGINS[language]}"), done.stderr
    assert done.stderr.count("\n") == 1
    for_scripts = command("doctor", "nosuch", "--json", "--data-dir", str(tmp_path))
    if for_scripts.stdout:
        assert for_scripts.stdout.isascii() and json.loads(for_scripts.stdout)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: f"{type(error).__name__}-{error.code}")
@pytest.mark.parametrize("language", ["de", "fr", "es", "pt_BR", "ar", "ja"])
def test_no_part_of_a_line_stays_english(error: ShopError, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(language))
    say = without_window()
    own, english = (set(sentence(error, say=one).replace(".", " ").replace(";", " ").split()) for one in (say, str))
    assert english & ENGLISH
    assert not own & ENGLISH


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("doctor",), "diese Angaben fehlen: NAME (siehe petstore-desktop doctor --help)"),
        (("sync", "Zoo", "--frob"), "unbekannte Angaben: --frob (siehe petstore-desktop --help)"),
        (("--plan", "gold"), "Angabe --plan: 'gold' gibt es nicht (zur Wahl stehen 'free', 'pro', "),
        (("--pets", "0"), "Angabe --pets: eine Zahl von 1 bis 1.000.000 (siehe"),
        (("connect", "Z", "--url", "x", "--per-day", "-5"), "Angabe --per-day: '-5' würde keine Anfrage erlauben; "),
        (("connect", "Z", "--url", "x", "--per-day", "2e3"), "Angabe --per-day: '2e3' ist keine ganze Zahl; nur"),
        (("connect", "Z", "--url", "x", "--per-day", "9" * 20), f"Angabe --per-day: '{'9' * 20}' ist zu groß; höch"),
        (("connect", "Z", "--url"), "Angabe --url: ein Wert fehlt (siehe petstore-desktop connect --help)"),
        (("report", "Zoo", "--from", "x"), "Angabe --from: 'x' ist kein Tag; schreiben Sie ihn wie 2026-11-01 ("),
        (("changes", "Zoo", "--since", "x"), "Angabe --since: 'x' ist keine Zeit; schreiben Sie 12h, 7d, 2w oder "),
        (("stock", "Zoo", "#1", "x"), "Angabe +N|-N|=N: +N bucht ein, -N aus, und =N zählt; N nur in Ziffern ("),
        (("report", "Zoo", "--week", "last", "--month", "last"), "Angabe --month: geht nicht zusammen mit --week"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_wrong_usage_is_said_in_the_language_of_the_system(german: None, arguments: tuple[str, ...], said: str) -> None:
    done = command(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.split(": ", 1)[1].startswith(said)


def test_what_an_import_leaves_out_is_said_in_the_language_of_the_system(
    german: None, shop: Shop, tmp_path: Path
) -> None:
    data = connected(tmp_path / "data", shop)
    pet = shop.rows("SELECT id FROM pets ORDER BY id")[0][0]
    file = table(tmp_path / "stock.csv", ("pet_id", "quantity"), (pet, "many"), (pet, "few"))
    given = ("--data-dir", str(data), "import", "Shop", "inventory", str(file))
    done = command(*given)
    assert "Zeile 2: " in done.stdout and "Zeile 3: " in done.stdout
    assert not set(done.stdout.split("Zeile 2")[1].split("nothing")[0].split()) & ENGLISH, done.stdout
    for_scripts = json.loads(command(*given, "--json").stdout)
    assert all(set(one["message"].split()) & {"Enter", "The"} for one in for_scripts["errors"]), for_scripts
    none = command(*given[:-1], str(tmp_path / "none.csv"))
    assert none.stderr.rstrip().endswith("es wurde nichts gespeichert") and none.stderr.count("\n") == 1


def test_a_report_writes_one_line_even_where_the_locale_is_not_installed(shop: Shop, tmp_path: Path) -> None:
    data = connected(tmp_path / "data", shop)
    german = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": ""}
    done = command(
        "--data-dir", str(data), "report", "Shop", "--out", str(tmp_path / "week.pdf"), env=german, process=True
    )
    assert (done.stdout, done.stderr.count("\n")) == ("", 1), done.stderr
