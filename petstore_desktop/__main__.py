"""`python -m petstore_desktop` is `petstore-desktop`."""

import sys

from petstore_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
