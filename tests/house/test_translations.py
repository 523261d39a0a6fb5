"""What is wrong with a translation is found; `dev.py check` looks through all texts of the program in every
language."""

from __future__ import annotations

import pytest

import translations
from translations import FORMS, Text, problems


@pytest.mark.parametrize(("text", "found"), [("Quite so", 0), ("Not so", 2 * len(FORMS))])
def test_the_check_fails_where_a_language_has_another_text(
    text: str, found: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(translations, "collect", lambda: {(text, ""): Text(False)})
    monkeypatch.setattr(translations, "read", lambda _: {("Quite so", ""): Text(False, ["Quite so"])})
    monkeypatch.setattr(translations, "compile_all", lambda: 0)
    assert translations.main(["--check"]) == int(bool(found))
    said = capsys.readouterr().out
    assert said.count("no text of the program: 'Quite so'") + said.count("not translated: 'Not so'") == found


def test_a_text_may_be_english_until_a_release(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(translations, "collect", lambda: {("Old", ""): Text(False), ("New", ""): Text(False)})
    monkeypatch.setattr(translations, "read", lambda _: {("Old", ""): Text(False, ["Alt"], reviewed=True)})
    monkeypatch.setattr(translations, "compile_all", lambda: 0)
    assert translations.main(["--check"]) == 0
    assert "of 12 translations 6 are missing" in capsys.readouterr().out
    assert translations.main(["--check", "--release"]) == 1
    assert "ja: not translated: 'New'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "forms", "plural", "why"),
    [
        ("{n} pets", ["{n} Tier"], True, "1 plural forms"),
        ("Open {name}", ["Öffne"], False, "other placeholders"),
        ("Open {name}", ["Öffne {nam}"], False, "other placeholders"),
        ("&Open", ["Öffnen"], False, "other key letters"),
        ("Open", [" "], False, "empty"),
        ("<b>Open</b>", ["<b>Öffnen"], False, "other tags"),
        ("a\nb", ["a b"], False, "other line breaks"),
        ("and ", ["und"], False, "other spaces at the ends"),
    ],
)
def test_a_translation_that_lost_a_part_is_found(source: str, forms: list[str], plural: bool, why: str) -> None:
    assert why in " ".join(problems("de", {(source, ""): Text(plural, forms)}))


def test_a_form_for_one_need_not_say_the_number() -> None:
    assert list(problems("de", {("{n} pets", ""): Text(True, ["ein Tier", "{n} Tiere"])})) == []


def test_a_file_is_read_as_it_was_written(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "FOLDER", tmp_path)
    texts = {
        ("Pets & <more>", ""): Text(False, ["Tiere & <mehr>"], reviewed=True),
        ("{n} pets", "a count"): Text(True, ["{n} Tier", "{n} Tiere"]),
        ("New", ""): Text(False),
    }
    translations.write("de", texts)
    assert translations.read("de") == {key: text for key, text in texts.items() if text.forms}
    now = {key: text.plural for key, text in texts.items()}
    assert translations.update("de", {key: Text(plural) for key, plural in now.items()}) == texts


@pytest.mark.parametrize(
    ("language", "source", "forms", "found"),
    [
        ("de", "The outbox is empty", ["Die Ablage ist leer"], "another word for 'outbox'"),
        ("ja", "{n} pets", ["{n}匹の動物"], "another word for 'pet'"),
        ("de", "Manual of Pet Store Desktop", ["Handbuch von Pet Store Desktop"], ""),
        ("de", "{n} pets", ["Ein &Tier", "{n} Tiere"], ""),
    ],
)
def test_the_glossarys_word_is_used(language: str, source: str, forms: list[str], found: str) -> None:
    text = Text(len(forms) > 1, forms)
    said = [why for why in problems(language, {(source, ""): text}) if "another word" in why]
    assert (found in said[0]) if found else (said == [])


def test_the_glossary_has_a_word_in_every_language() -> None:
    for term, row in translations.glossary().items():
        assert set(row) - {"english"} == set(FORMS), term
