"""The README is what a newcomer reads: short, its commands run, its links lead somewhere; all else is in the manual."""

from __future__ import annotations

import re
from pathlib import Path

from petstore_desktop.ui.text.manual import PAGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
LINES = 150


def test_it_is_short_and_names_both_commands_word_for_word() -> None:
    assert len(README.splitlines()) <= LINES
    for command in ("python3 packaging/dev.py run", "python3 packaging/dev.py test"):
        assert f"\n```\n{command}\n```\n" in README


def test_its_links_lead_somewhere_and_every_page_of_the_manual_is_linked() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert all((ROOT / target).is_file() for target in targets if not target.startswith("http"))
    assert not [target for target in targets if target.startswith("http")]
    linked = {Path(target).stem for target in targets if target.startswith("resources/manual/en/")}
    assert linked == set(PAGES)


def test_every_command_of_the_developer_is_there() -> None:
    said = (ROOT / "packaging" / "dev.py").read_text("utf-8")
    for name in re.findall(r"`(check|translations|pictures|bench|long)\b", README):
        assert f'"{name}": ' in said
    for name in re.findall(r"`long (\w+)", README):
        assert (ROOT / "tests" / "long" / f"{name}.py").is_file() or name == "NAME"
