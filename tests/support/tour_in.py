"""Takes the tour in a language, or in one that is made from the English texts. Not a test.

    python -m tests.support.tour_in LANGUAGE PICTURES [DATA [STEPS]]

Writes beside the pictures, in texts.json, what is wrong with the texts of each: those that are cut and have no tool
tip, and in a made language the words that are in no brackets and no name of the shop.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.app import Start
from petstore_desktop.demo.witness import Witness
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour import run_tour, runner, script
from petstore_desktop.tour.camera import Camera
from petstore_desktop.ui.text import translate
from petstore_desktop.ui.text.manual import ENGLISH, manual_pages
from tests.support import spoken
from tests.support.seen_texts import Watch, name_of, outside_brackets, text_of, words_of

TEXTS = "texts.json"
_NAMES = "SELECT name, status FROM pets UNION SELECT name, description FROM categories"
TYPED = (
    "Bourke's parakeet, opaline",
    "koi unicorn sold",
    "https://shop.example/api example",
    "Pet Store Desktop",
    "Demo shop",
    "A name of our own",
)
"""What stands on the screen as it is: typed by the tour, or a name."""
_REQUEST = "GET POST PATCH DELETE pets petId categories categoryId store orders"
PLACES = {
    "preferencesLink": "(Language)",  # for who cannot read the others
    "import": "Artikelnummer Bezeichnung Zustand Niemand lost verkauft Id Name Status Shelf UTF",
    "operationsTable": _REQUEST,
    "endpointChoice": _REQUEST,
    "languageChoice": "English petstore ar de es fr ja pt BR Deutsch Français Español Português Brasil العربية 日本語",
    "reviewView": "Bourke's parakeet, opaline",
    "activityView": "Amano shrimp, large, breeding size",
}
"""The same, in one place: a file's words, a service's, and the names of pets that were deleted or renamed."""


class Critic(Camera):
    """Takes each picture, and notes what is wrong with the texts that stand in it."""

    watch: Watch | None = None
    shop: Witness | None = None
    made = False

    def take(self, base: QWidget, number: int, name: str) -> str:
        """Write the picture; add to texts.json."""
        file = super().take(base, number, name)
        application = QApplication.instance()
        if Critic.watch is None and isinstance(application, QApplication):
            Critic.watch = Watch(application)
        watch = Critic.watch
        assert watch is not None
        faults = sorted(set(watch.faults()))
        if self.made:
            for widget, said in set(watch.texts()):
                if words := outside_brackets(said) - self.names() - self.allowed(widget):
                    faults.append(f"not translated: {name_of(widget)}: {text_of(said)}: {' '.join(sorted(words))}")
        path = self.folder / TEXTS
        found = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        path.write_text(json.dumps({**found, file: faults}, ensure_ascii=False, indent=1), "utf-8")
        return file

    def allowed(self, widget: QWidget) -> set[str]:
        """Words that a language leaves alone in one place."""
        name = name_of(widget)
        return words_of(*(words for place, words in PLACES.items() if place in name))

    def names(self) -> set[str]:
        """Words that no made language changes: names of the shop, of days and months, what the tour types, and titles
        of the manual, whose pages are no texts of the program."""
        here = translate.locale()
        kinds = QLocale.FormatType.LongFormat, QLocale.FormatType.ShortFormat
        days = [here.dayName(day, kind) for day in range(1, 8) for kind in kinds]
        months = [here.monthName(month, kind) for month in range(1, 13) for kind in kinds]
        rows = [*self.shop.rows(_NAMES)] if self.shop is not None else []
        titles = [page.title for page in manual_pages(ENGLISH)]
        return words_of(*days, *months, *titles, *TYPED, *(str(one) for row in rows for one in row))


def main(arguments: list[str]) -> int:
    """Return 0 if every step held."""
    language, pictures = arguments[0], Path(arguments[1])
    spoken.Spoken(language).begin()
    Critic.made = language in spoken.MADE
    if Critic.made:
        translate.speak = spoken.speak
    runner.Camera = Critic
    (pictures / TEXTS).unlink(missing_ok=True)
    if len(arguments) > 3:
        script.SCRIPT = script.SCRIPT[: int(arguments[3])]
    start = Start(data_dir=arguments[2] if len(arguments) > 2 else None, demo_options=("--plan", "free"))
    return run_tour(start, pictures, lambda shop: setattr(Critic, "shop", shop), language)


if __name__ == "__main__":
    run_to_end(lambda: main(sys.argv[1:]))
