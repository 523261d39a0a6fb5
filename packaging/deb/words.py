"""The command line as data: every command with its options, read off the program's own parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from petstore_desktop.cli import command_line

PLACES = {"name": "the name of the connection", "resource": "pets, categories, orders or inventory"}
"""What stands at a place for which the help has no words."""


@dataclass(frozen=True, slots=True)
class Word:
    """An option, or (without names) something that has its place; `value` is what it is followed by, if anything."""

    names: tuple[str, ...]
    value: str
    choices: tuple[str, ...]
    says: str
    again: bool
    needed: bool


@dataclass(frozen=True, slots=True)
class Command:
    """The program itself (without a name), or one of its commands."""

    name: str
    says: str
    words: tuple[Word, ...]

    def options(self) -> Iterator[Word]:
        """Yield its options."""
        return (word for word in self.words if word.names)

    def places(self) -> Iterator[Word]:
        """Yield what is given without a name, in order."""
        return (word for word in self.words if not word.names)


def commands() -> list[Command]:
    """Return the program, then every command of it."""
    top = command_line(with_commands=True)
    found = [Command("", (top.description or "").strip(), tuple(_words(top)))]
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, parser in action.choices.items():
                found.append(Command(name, parser.description or "", tuple(_words(parser))))
    return found


def _words(parser: argparse.ArgumentParser) -> Iterator[Word]:
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        choices = tuple(map(str, action.choices or ()))
        value = action.metavar if isinstance(action.metavar, str) else "|".join(choices) or action.dest.upper()
        takes = value if action.nargs != 0 else ""
        says = (action.help or PLACES.get(action.dest, "")).replace("%%", "%")
        again = isinstance(action, argparse._AppendAction)
        yield Word(tuple(action.option_strings), takes, choices, says, again, action.required)
