"""A secret is masked however a text writes it, and nothing else is."""

from __future__ import annotations

import json
import random
import string

import pytest

from petstore_desktop.masking import holds, masked, repeats
from tests.support.echoes import AS_JSON_WRITES, ECHOES, KEY


@pytest.mark.parametrize("name", ECHOES)
def test_a_key_is_masked_however_it_is_written(name: str) -> None:
    written = ECHOES[name](KEY)
    whole = f"<before, {written} and after>"
    shown = masked(whole, [KEY])
    assert "***" in shown
    assert shown.startswith("<before, ")
    assert shown.endswith(" and after>")
    assert written not in shown
    assert all(ECHOES[other](KEY) not in shown for other in ECHOES)


@pytest.mark.parametrize("before", ["=", "?key=", "&key==", "=="])
def test_a_key_after_a_sign_that_may_begin_an_escape_is_masked_too(before: str) -> None:
    key = "24083fd2-2b90/2f89+11e8"  # =24 would be a dollar sign in a mail
    shown = {name: masked(before + ECHOES[name](key), [key]) for name in ECHOES}
    assert {name for name, text in shown.items() if not text.startswith(before) or "***" not in text} == set()
    assert {name for name in ECHOES for text in shown.values() if ECHOES[name](key) in text} == set()


@pytest.mark.parametrize("outer", ["slashes of JSON", "all in numbers of JSON", "hex numbers of HTML", "percent twice"])
@pytest.mark.parametrize("name", ["plain", "numbers of JSON", "names of HTML", "percent", "base64", "hex"])
def test_one_encoding_inside_of_another_is_undone_too(name: str, outer: str) -> None:
    assert masked(f"<{ECHOES[outer](ECHOES[name](KEY))}>", [KEY]) == "<***>"


@pytest.mark.parametrize("key", ["ab%41cd", "a\\b+cdef", "key&amp;x/y", "k1", "a1b2c", "\\\\\\\\"])
def test_a_key_that_holds_escapes_itself_is_masked_as_it_is_and_escaped(key: str) -> None:
    for text in (key, json.dumps(key), json.dumps(json.dumps(key)), ECHOES["percent"](key)):
        assert key not in json.dumps(masked(text, [key]))
        assert "***" in masked(text, [key])


def test_a_password_is_masked_without_its_user_name_too() -> None:
    assert masked("no user anna with open-sesame", ["anna:open-sesame"]) == "no user anna with ***"


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"message": "caf\\u00e9 \\/ bar", "code": 17}',
        "100 % of &lt;all&gt; %20 \\ & %",
        "canary/key",
        "Y2FuYXJ5",
    ],
)
def test_other_texts_stay_as_they_are_letter_by_letter(text: str) -> None:
    assert masked(text, [KEY]) == text


@pytest.mark.parametrize(
    ("key", "word"), [("pets", "petstore"), ("available", "unavailable"), ("1234", "12345"), ("api_key", "api_key_2")]
)
def test_a_key_that_is_a_common_word_is_masked_as_a_word_alone(key: str, word: str) -> None:
    assert masked(f"{word} {key.upper()}, {key}{word}", [key]) == f"{word} ***, {key}{word}"
    assert not holds(f"a {key} of many", [key])  # nobody can say that it is the key


@pytest.mark.parametrize("key", ["a1b2c3", "correcthorsebattery", KEY])
def test_a_key_that_is_no_common_word_is_found_inside_of_words_too(key: str) -> None:
    assert masked(f"x{key}x", [key]) == "x***x"
    assert holds(f"x{key}x", [key])


@pytest.mark.parametrize(
    "piece", ["%25", "\\", "\\u002", "&amp;", "&#0", "&", "%", " ", "=\n", "a", "=2", "63 ", "99, ", "ca "]
)
def test_a_text_of_escapes_alone_takes_work_in_step_with_its_length(piece: str) -> None:
    """In one thousand letters as in one hundred thousand: what grows faster does not come to an end here."""
    assert masked(piece * (200_000 // len(piece)) + KEY, [KEY]).endswith("***")


def a_key_of(length: int) -> str:
    return "".join(random.Random(length).choices(f"{string.ascii_letters}{string.digits}-_.", k=length))


SIZES = [int(10 ** random.Random(seed).uniform(1, 5)) for seed in range(12)]
"""From ten letters to a hundred thousand, as many of each order of size."""


@pytest.mark.parametrize("length", [*SIZES, 1_000, 8_000, 40_000])
def test_a_key_of_any_length_is_masked_with_work_in_step_with_its_length(length: int) -> None:
    """What grows faster does not come to an end here."""
    key = a_key_of(length)
    assert masked(f"<{key}> {key[:-1]}", [key]) == f"<***> {key[:-1]}"
    for name in ("hex with colons", "percent", "base64 of more", "all in numbers of JSON"):
        assert masked(f"<{ECHOES[name](key)}>", [key]).count("***") == 1


@pytest.mark.parametrize("name", ECHOES)
def test_a_key_of_eight_thousand_letters_is_masked_however_it_is_written(name: str) -> None:
    key = a_key_of(8_000)
    written = ECHOES[name](key)
    shown = masked(f"<{written}>", [key])
    assert shown.startswith("<") and shown.endswith(">") and "***" in shown
    assert all(written[at : at + 40] not in shown for at in range(40, len(written) - 80, 40))


@pytest.mark.parametrize("begin", [0, 1, 7, 8, 9, 100])
def test_what_only_begins_like_a_key_hides_none_that_begins_within_it(begin: int) -> None:
    key = "ab" * 100 + "c"
    assert masked(key[:begin] + key, [key]).endswith("***")
    assert masked(key[:-1], [key]) == key[:-1]


def test_a_key_of_signs_that_may_stand_between_its_letters_is_found() -> None:
    for key in ("abc=\ndefgh=ijkl", "ab cd efgh ijk lm", "x====yyyyyyyyyyyyyy"):
        assert masked(f"<{key}>", [key]) == "<***>"
        assert masked(f"<{key[:9]}=\n{key[9:]}>", [key]) == "<***>"


@pytest.mark.parametrize("name", ECHOES)
def test_of_what_is_read_a_key_is_found_as_json_writes_it_and_not_otherwise(name: str) -> None:
    if name in ("numbers of C", "numbers in braces"):
        return  # which JSON does not have
    value = json.loads(f'"{ECHOES[name](KEY)}"')
    assert repeats(f"<{json.dumps(value)}>", [KEY]) is (name in AS_JSON_WRITES)
    assert not repeats(json.dumps(value), ["canary"])  # which may be any word
