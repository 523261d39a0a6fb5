"""`python -m petstore_desktop` is `petstore-desktop`."""

from typing import NoReturn

from petstore_desktop.threads import run_to_end


def run() -> NoReturn:
    """Be the program, from its first line to the end of the process."""
    from petstore_desktop.cli import main

    run_to_end(main)


if __name__ == "__main__":
    run()
