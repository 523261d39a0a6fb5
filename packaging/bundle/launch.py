"""What a bundle runs: the program itself."""

import sys

from petstore_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
