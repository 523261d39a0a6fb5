"""`dev.py windows [tests|quick|tour|installer] [PYTEST ARGS]`: the program on Windows, as Wine plays it on Debian.

tests [ARGS]  the first start, then every test that this Windows can run; or those that ARGS name
quick         the first start, and the tests of what differs between systems
tour          the tour in a real window; its pictures lie in build/windows/tour afterwards
installer     the bundle and the installer that are shipped, made, installed, used and removed
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack

import machine
from windows import installed, start, suite, tour
from windows.setting import Setting, setting

PROVES = """\
windows: Wine 10 plays Windows 10 here, with python.org's own Python and the pinned packages' files for Windows.
It proves nothing of NTFS, virus scanners, real consoles, text drawn by DirectWrite, screen readers, SmartScreen and
printers."""
"""What is said at the end of each run that passed."""
NOT_RUN = 77
"""The exit code of what this machine cannot run; `dev.py long` knows it too."""
LACKING = "windows: not run: it needs Debian (or its kin) as root, to unpack Wine 10 into a folder of its own"


def tests(there: Setting, args: list[str]) -> int:
    """Start the program as a person does for the first time, then run the tests."""
    return start.first(there) or suite.run(there, args)


def quick(there: Setting, args: list[str]) -> int:
    """Do the same with few tests."""
    return start.first(there) or suite.run(there, [suite.FEW_RED, *suite.QUICK, *args])


COMMANDS: dict[str, Callable[[Setting, list[str]], int]] = {
    "tests": tests,
    "quick": quick,
    "tour": tour.run,
    "installer": installed.run,
}


def can_play() -> bool:
    """Say whether Windows can be played on this machine."""
    return machine.is_debian() and os.geteuid() == 0  # house: platform - only root may


def main(argv: list[str]) -> int:
    """Return the exit code: 1 where the command failed, 2 for wrong usage, NOT_RUN where the machine cannot, or where
    what it needs is not to be had now."""
    name, *args = argv or ["tests"]
    if name not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    if not can_play():
        print(LACKING)
        return NOT_RUN
    with ExitStack() as stack:
        try:
            there = stack.enter_context(setting())
        except machine.SetupError as error:
            print(error, file=sys.stderr)
            print(f"windows: not run: {str(error).splitlines()[0]}")
            return NOT_RUN
        code = attempt(name, there, args)
    print(f"windows: {name} failed" if code else PROVES)
    return code


def attempt(name: str, there: Setting, args: list[str]) -> int:
    """Return the exit code of a command; 1 where a part of it could not be made."""
    try:
        return COMMANDS[name](there, args)
    except machine.SetupError as error:
        print(f"windows: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
