"""What a bundle runs: the program itself."""

from petstore_desktop.__main__ import run

if __name__ == "__main__":
    run()
