"""The manual page petstore-desktop(1), made from the command line's own help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from deb.words import Command, Word, commands

EXAMPLES = (
    ("Open the demo shop, a real service on this computer only:", "petstore-desktop --demo"),
    (
        "Connect a shop; the key is read from standard input, so that it is in no list of processes:",
        'petstore-desktop connect "My shop" --url https://shop.example/v1 --key-stdin',
    ),
    ("Read everything once, and write the pets to a file:", 'petstore-desktop sync "My shop"'),
    ("", 'petstore-desktop export "My shop" pets --format xlsx --out pets.xlsx'),
)
FILES = (
    (
        "$XDG_DATA_HOME/petstore-desktop",
        "Everything that the program keeps (or ~/.local/share/petstore-desktop).",
    ),
    ("log/petstore.log", "In that folder: what the program has to say for support. No key is in it."),
)
ENVIRONMENT = (
    ("PETSTORE_API_KEY", "The key of the connection that is started, in the place of the one in the keyring."),
    ("HTTPS_PROXY, NO_PROXY", "The proxy to use, and for which hosts to use none."),
)
EXITS = (("0", "It was done."), ("1", "It failed; one line on stderr says why."), ("2", "Wrong usage."))


def page(version: str, epoch: int) -> str:
    """Return the page in the form that man(1) reads."""
    day = datetime.fromtimestamp(epoch, UTC).date().isoformat()
    program, *others = commands()
    parts = [
        f'.TH PETSTORE-DESKTOP 1 {day} "petstore-desktop {_plain(version)}" "User Commands"',
        ".SH NAME",
        r"petstore-desktop \- pets, stock and orders of a shop, online and offline",
        ".SH SYNOPSIS",
        *_synopsis(program),
        r".br",
        r"\fBpetstore-desktop\fR \fICOMMAND\fR [\fIOPTION\fR]...",
        ".SH DESCRIPTION",
        _plain(f"{program.says} Without a command a window opens, on the shop that was open last."),
        ".SH OPTIONS",
        *_described(program.options()),
        ".SH COMMANDS",
    ]
    for command in others:
        parts += [f".SS {_plain(command.name)}", _plain(f"{command.says[:1].upper()}{command.says[1:]}."), ".PP"]
        parts += [*_synopsis(command), *_described(command.words)]
    for title, pairs in (("FILES", FILES), ("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", EXITS)):
        parts += [f".SH {title}", *(line for name, says in pairs for line in _pair(rf"\fB{_plain(name)}\fR", says))]
    parts.append(".SH EXAMPLES")
    for says, example in EXAMPLES:
        parts += [*([".PP", _plain(says)] if says else []), ".PP", ".nf", ".RS", _plain(example), ".RE", ".fi"]
    return "\n".join(parts) + "\n"


def _synopsis(command: Command) -> Iterator[str]:
    options = sorted(command.options(), key=lambda word: not word.needed)
    said = [r"\fBpetstore-desktop\fR", *([rf"\fB{_plain(command.name)}\fR"] if command.name else [])]
    for word in [*options, *command.places()]:
        name = rf"\fB{_plain(word.names[-1])}\fR" if word.names else ""
        value = rf"\fI{_plain(word.value)}\fR" if word.value else ""
        both = r"\ ".join(part for part in (name, value) if part)
        said.append(both if word.needed or not word.names else f"[{both}]")
    yield from said


def _described(words: Iterable[Word]) -> Iterator[str]:
    for word in words:
        names = ", ".join(rf"\fB{_plain(name)}\fR" for name in word.names)
        value = rf"\fI{_plain(word.value)}\fR" if word.value else ""
        yield from _pair(" ".join(part for part in (names, value) if part), word.says)


def _pair(head: str, says: str) -> list[str]:
    return [".TP", head, _plain(says) or r"\&"]


def _plain(text: str) -> str:
    """Return a text as troff shows it letter by letter."""
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{text}" if text.startswith((".", "'")) else text
