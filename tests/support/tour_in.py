"""Takes the whole tour in a language, or in one that is made from the English texts. Not a test.

    python -m tests.support.tour_in LANGUAGE PICTURES [DATA]
"""

from __future__ import annotations

import sys
from pathlib import Path

from petstore_desktop.app import Start
from petstore_desktop.tour import run_tour
from petstore_desktop.ui.text import translate
from tests.support import spoken


def main(arguments: list[str]) -> int:
    """Return 0 if every step held."""
    language, pictures = arguments[0], Path(arguments[1])
    spoken.Spoken(language).begin()
    made = language in spoken.MADE
    if made:
        translate.speak = spoken.speak
    start = Start(data_dir=arguments[2] if len(arguments) > 2 else None, demo_options=("--plan", "free"))
    return run_tour(start, pictures, language=language)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
