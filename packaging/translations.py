"""Collects the texts of the program, checks their translations and compiles them; `dev.py translations` runs this.

Each language is one file in resources/translations, petstore_LANGUAGE.ts, in the form of Qt Linguist and edited there;
the program reads the .qm beside it, which is made from it and kept out of git. `lupdate` finds the calls of `tr`; what
it does not see inside a class or a table is found in the syntax tree. All texts are in one context, since `tr` knows no
other. Standard library only, but for the two programs that PySide6 brings.

A new text may be English until a release, which is not cut before all are translated. A translation counts as made by
a machine until a person has looked at it, and said so in the translator's comment of Qt Linguist: "reviewed".
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import machine

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
FORMS = {"de": 2, "fr": 2, "es": 2, "pt_BR": 2, "ar": 6, "ja": 1}
"""The languages, and how many plural forms each has (Qt's rules)."""
_WORDS_TO_FIND = re.compile(r"[a-z0-9-]+(?: [a-z0-9-]+){2,}")
"""Words under which an action is found (Ctrl+K): each that people may think of is good. And parts of sentences."""
_PLACE = re.compile(r"\{\w*\}")
_TAG = re.compile(r"</?\w+[^>]*>")
_LOOSE = re.compile(r"[\w)»}] [;:?»]|« ")
"""What French never breaks a line at."""
_MARK = re.compile(r"&(?=\w)")
_SAYS = re.compile(r"\btr\(")
"""What stands in a file that says something."""

Key = tuple[str, str]
"""A text and what tells it from another of the same words."""


REVIEWED = "reviewed"
"""What a translator's comment says of a translation that a person has looked at."""


@dataclass(slots=True)
class Text:
    """One text of the program, and how a language says it: one form, or one for each plural. `reviewed`: a person has
    looked at that."""

    plural: bool
    forms: list[str] = field(default_factory=list)
    reviewed: bool = False


def collect() -> dict[Key, Text]:
    """Return every text that the program can show, in order."""
    found = {key: Text(plural) for key, plural in [*seen_by_lupdate(), *seen_in_the_tree()]}
    return dict(sorted(found.items()))


def seen_by_lupdate() -> Iterator[tuple[Key, bool]]:
    """Yield the texts that `lupdate` finds, and whether each is a plural."""
    files = [str(path) for path in sorted((ROOT / "petstore_desktop").rglob("*.py"))]
    with TemporaryDirectory() as folder:
        target = Path(folder) / "all.ts"
        command = [str(_program("lupdate")), "-silent", "-locations", "none", *files, "-ts", str(target)]
        subprocess.run(command, check=True, cwd=ROOT)
        for message in ET.parse(target).getroot().iter("message"):
            source, comment = message.findtext("source") or "", message.findtext("comment") or ""
            yield (source, comment), message.get("numerus") == "yes"


def seen_in_the_tree() -> Iterator[tuple[Key, bool]]:
    """Yield the texts that are handed to `tr`, wherever that stands, and whether each is a plural."""
    for path in sorted((ROOT / "petstore_desktop").rglob("*.py")):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)) if _SAYS.search(source) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr" and node.args:
                texts = [one.value if isinstance(one, ast.Constant) else None for one in node.args[:2]]
                if isinstance(texts[0], str):
                    comment = texts[1] if len(texts) > 1 and isinstance(texts[1], str) else ""
                    yield (texts[0], comment), len(node.args) > 2


def _program(name: str) -> Path:
    """Return one of the tools that PySide6 brings."""
    return machine.venv_program(ROOT / ".venv", f"pyside6-{name}")


# ---------------------------------------------------------------- files


def file_of(language: str) -> Path:
    """Return where a language is kept."""
    return FOLDER / f"petstore_{language}.ts"


def read(language: str) -> dict[Key, Text]:
    """Return how a language says each text; nothing for one that has no file yet."""
    if not file_of(language).is_file():
        return {}
    said: dict[Key, Text] = {}
    for message in ET.parse(file_of(language)).getroot().iter("message"):
        translation = message.find("translation")
        if translation is None or translation.get("type"):
            continue
        forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
        reviewed = message.findtext("translatorcomment") == REVIEWED
        key = message.findtext("source") or "", message.findtext("comment") or ""
        said[key] = Text(message.get("numerus") == "yes", forms, reviewed)
    return said


def write(language: str, texts: Mapping[Key, Text]) -> None:
    """Write a language's file, with a place for each text that is not translated yet."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name")
    for (source, comment), text in texts.items():
        message = ET.SubElement(context, "message", {"numerus": "yes"} if text.plural else {})
        ET.SubElement(message, "source").text = source
        if comment:
            ET.SubElement(message, "comment").text = comment
        if text.reviewed:
            ET.SubElement(message, "translatorcomment").text = REVIEWED
        translation = ET.SubElement(message, "translation", {} if text.forms else {"type": "unfinished"})
        if text.plural:
            for form in text.forms or [""] * FORMS[language]:
                ET.SubElement(translation, "numerusform").text = form
        elif text.forms:
            translation.text = text.forms[0]
    ET.indent(root, "")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    file_of(language).write_text(f"{head}{ET.tostring(root, 'unicode')}\n", "utf-8", newline="\n")


def update(language: str, texts: Mapping[Key, Text]) -> dict[Key, Text]:
    """Bring a language's file up to date: new texts come in unfinished, texts that are gone go. Return what it says."""
    found = said_of(texts, read(language))
    write(language, found)
    return found


def said_of(texts: Mapping[Key, Text], said: Mapping[Key, Text]) -> dict[Key, Text]:
    """Return how a language says the texts that there are; without forms what it does not say yet."""
    none = Text(False)
    return {key: Text(text.plural, (known := said.get(key, none)).forms, known.reviewed) for key, text in texts.items()}


def compile_all() -> int:
    """Make the files that the program reads, where they are older than their sources."""
    for language in FORMS:
        source, made = file_of(language), file_of(language).with_suffix(".qm")
        if source.is_file() and (not made.is_file() or made.stat().st_mtime < source.stat().st_mtime):
            command = [str(_program("lrelease")), "-silent", "-removeidentical", str(source), "-qm", str(made)]
            if code := subprocess.run(command, check=False, cwd=ROOT).returncode:
                return code
    return 0


# ---------------------------------------------------------------- checks


def problems(language: str, texts: Mapping[Key, Text]) -> Iterator[str]:
    """Yield what is wrong with a translation: a form that is missing, or lost a part of the text."""
    for (source, _), text in texts.items():
        if text.forms and len(text.forms) != (FORMS[language] if text.plural else 1):
            yield f"{language}: {len(text.forms)} plural forms: {source!r}"
        for form in text.forms:
            yield from (f"{language}: {why}: {source!r} -> {form!r}" for why in _differences(source, form, text.plural))
            if language == "fr" and _LOOSE.search(form):
                yield f"{language}: an ordinary space before a sign: {source!r} -> {form!r}"
        yield from (
            f"{language}: {why}: {source!r} -> {text.forms}" for why in _other_terms(language, source, text.forms)
        )


def _other_terms(language: str, source: str, forms: list[str]) -> Iterator[str]:
    """Yield the terms of the glossary that a text has in English, and in this language another word for."""
    if _WORDS_TO_FIND.fullmatch(source):
        return
    said, here = _PLACE.sub("", source).replace("&", ""), [form.replace("&", "") for form in forms if form]
    for term, row in glossary().items():
        wanted = row.get("english", rf"\b{term}(?:e?s)?\b")
        has_own = any(re.search(row[language], form, re.IGNORECASE) for form in here)
        if here and not has_own and re.search(wanted, said, re.IGNORECASE):
            yield f"another word for {term!r} than the glossary's"


@cache
def glossary() -> dict[str, dict[str, str]]:
    """Return of each term the word in every language, as regular expressions."""
    return tomllib.loads((FOLDER / "glossary.toml").read_text("utf-8"))


def _differences(source: str, form: str, plural: bool) -> Iterator[str]:
    if not form.strip():
        yield "empty"
    places, wanted = sorted(_PLACE.findall(form)), sorted(_PLACE.findall(source))
    if plural:  # a form for one or two need not say the number
        places, wanted = ([one for one in some if one != "{n}"] for some in (places, wanted))
    if places != wanted:
        yield "other placeholders"
    if sorted(_TAG.findall(form)) != sorted(_TAG.findall(source)):
        yield "other tags"
    if len(_MARK.findall(form)) != len(_MARK.findall(source)):
        yield "other key letters"
    spaced = form + " " if form.endswith(("、", "；")) else form  # the sign has its room in itself
    if (form[:1] == " ", spaced[-1:] == " ") != (source[:1] == " ", source[-1:] == " "):
        yield "other spaces at the ends"
    if form.count("\n") != source.count("\n"):
        yield "other line breaks"


def untranslated(language: str, texts: Mapping[Key, Text]) -> list[str]:
    """Return the texts that a language shows in English."""
    return [f"{language}: not translated: {source!r}" for (source, _), text in texts.items() if not text.forms]


def main(argv: list[str]) -> int:
    """Update, check and compile all languages; with --check nothing is written but what the program reads, with
    --release a text that is not translated is wrong too."""
    texts = collect()
    found: list[str] = []
    english: list[str] = []
    reviewed = 0
    for language in FORMS:
        if "--check" in argv:
            said = read(language)
            now = said_of(texts, said)
            found += [f"{language}: no text of the program: {key[0]!r}" for key in said.keys() - texts.keys()]
        else:
            now = update(language, texts)
        found += problems(language, now)
        english += untranslated(language, now)
        reviewed += sum(text.reviewed for text in now.values())
    count = len(texts) * len(FORMS)
    machine_made = count - len(english) - reviewed
    print(*found, *english, sep="\n", end="\n" if found or english else "")
    print(
        f"{len(texts):,} texts in {len(FORMS)} languages; of {count:,} translations {len(english):,} are missing, and"
    )
    print(f"{machine_made:,} were made by a machine and not reviewed by a person.")
    return compile_all() or int(bool(found or ("--release" in argv and english)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
