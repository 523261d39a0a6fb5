"""`python -m petstore_desktop.demo`: the demo shop alone."""

import argparse
import sys

from petstore_desktop.demo.command import add_arguments, run


def main() -> int:
    """Read the command line and serve until stopped; the exit status is returned."""
    parser = argparse.ArgumentParser(prog="python -m petstore_desktop.demo", description="The demo pet shop.")
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
