"""Texts of the window and of the command line use the glossary's terms, not the words that it rules out."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import petstore_desktop
from petstore_desktop import resources
from petstore_desktop.cli import COMMANDS

PACKAGE = Path(petstore_desktop.__file__).parent
GLOSSARY = resources.root() / "translations" / "glossary.md"
SAID_ALOUD = ("tr", "_tr")
COMMAND_LINE = (PACKAGE / "cli.py", PACKAGE / "demo" / "command.py", *sorted((PACKAGE / "commands").glob("*.py")))
"""Of these every text of several words counts, those of `--help` too, but for the docstrings."""
SEARCHED = PACKAGE / "ui" / "palette" / "result_texts.py"
"""Words under which actions are found: there every word that people may think of is welcome."""


def rows() -> list[tuple[str, str, list[str]]]:
    """Each term with its meaning and the words that it is not called by."""
    cells = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in GLOSSARY.read_text("utf-8").splitlines()
        if "|" in line
    ]
    found = [(row[0], row[1], row[2] if len(row) > 2 else "") for row in cells if set(row[0]) - set("-")]
    return [(term, means, [word.strip() for word in words.split(",") if word.strip()]) for term, means, words in found]


def strings(node: ast.AST) -> Iterator[str]:
    """The texts in it, but for those that stand alone, as docstrings do."""
    alone = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Expr)}
    constants = (one for one in ast.walk(node) if isinstance(one, ast.Constant) and id(one) not in alone)
    yield from (one.value for one in constants if isinstance(one.value, str))


@functools.cache
def texts() -> list[tuple[str, str]]:
    """(where, text) of all that is said to people."""
    return list(read_texts())


def read_texts() -> Iterator[tuple[str, str]]:
    """Read them out of the package's files."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        if path not in COMMAND_LINE and not re.search(rf"\b(?:{'|'.join(SAID_ALOUD)})\(", source):
            continue
        tree = ast.parse(source)
        if path in COMMAND_LINE:
            yield from ((path.name, text) for text in strings(tree) if " " in text)
        for node in ast.walk(tree) if path != SEARCHED else ():
            name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in SAID_ALOUD:
                where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
                given = (*node.args[:1], *(one.value for one in node.keywords if one.arg == "one"))
                yield from ((where, text) for part in given for text in strings(part))


TERMS = [row for row in rows() if row[0] != "Term"]


def test_the_glossary_says_each_term_once_with_one_meaning() -> None:
    names = [term for term, _, _ in TERMS]
    assert len(names) == len(set(names)) > 40
    assert all(means.endswith(".") for _, means, _ in TERMS)


def test_there_are_texts_to_look_through() -> None:
    assert len(texts()) > 1_500
    helped = {words for words, _ in COMMANDS.values()} | {
        "do not ask, even if changes are unsent",
        "start with new data",
    }
    assert helped <= {text for _, text in texts()}


@pytest.mark.parametrize(("term", "words"), [(term, words) for term, _, words in TERMS if words])
def test_no_text_uses_a_word_that_the_glossary_rules_out(term: str, words: list[str]) -> None:
    wrong = re.compile(rf"\b(?:{'|'.join(re.escape(word) for word in words)})\b", re.IGNORECASE)
    found = [f"{where}: {text}" for where, text in texts() if wrong.search(text.replace("&", ""))]
    assert not found, f"say “{term}”"
