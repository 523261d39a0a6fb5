"""Makes what people install, in dist/; `dev.py build [STEP...]` runs this. Without a STEP all are made, in order.

A step is a name and a function; one that fails ends the build. It may need what those before it made.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import machine
from bundle import archive, checks, folder, place, wheels
from deb import package, repository
from release.checksums import sums
from release.inside import texts
from release.inside.describe import describe


def say_what_is_in_it() -> None:
    """Put the list of contents and the licences into the bundle."""
    texts.gather(texts.GATHERED)
    describe(place.BUNDLE, wheels.site())
    folder.settle(place.BUNDLE)


STEPS: dict[str, Callable[[], object]] = {
    "wheel": wheels.make,
    "bundle": folder.make,
    "describe": say_what_is_in_it,
    "check": checks.check,
    "tour": checks.tour,
    "archive": archive.make,
    "deb": package.make,
    "sums": lambda: sums(place.DIST),
}
ON_REQUEST: dict[str, Callable[[], object]] = {"accept": checks.accept, "repository": repository.make}
"""Steps that are taken only where they are named."""


def main(argv: list[str]) -> int:
    """Make what is asked for; 1 where a step failed, 2 for one that there is not."""
    known = STEPS | ON_REQUEST
    if unknown := [name for name in argv if name not in known]:
        print(f"no such step: {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    place.DIST.mkdir(exist_ok=True)
    for name in argv or STEPS:
        begun = time.monotonic()
        print(f"== {name}", flush=True)
        try:
            known[name]()
        except machine.SetupError as error:
            print(f"build failed at {name}: {error}", file=sys.stderr)
            return 1
        print(f"   {time.monotonic() - begun:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
