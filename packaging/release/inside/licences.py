"""Writes the licences of everything in a bundle: each text, a list of what is under which, and the notice for Qt."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from release import ReleaseError, version
from release.inside.contents import Component, Environment
from release.inside.texts import COMMON, EXPRESSIONS, GATHERED, SHARED, Texts, chosen, put

FOLDER = "licences"
LIST = "THIRD-PARTY.txt"
NOTICE = "README.txt"
QT_SET = ("pyside6-essentials", "shiboken6")
NOTICE_TEXT = """\
Pet Store Desktop {version}: licences
{line}

The program is under the MIT licence (Pet-Store-Desktop-LICENSE.txt).
{list} names everything of others that is in this bundle, with its version, its licence and the files
with its text. {sbom} says the same for machines (CycloneDX).

Qt and PySide6
--------------
This program uses Qt {qt}, PySide6 {pyside} and shiboken6 {pyside}. You may use, copy, change and pass them on under
the GNU Lesser General Public License, version 3 (common/LGPL-3.txt), which adds to the GNU General Public License,
version 3 (common/GPL-3.txt). They come without any warranty. They are as their makers published them; nothing in them
was changed but that debugging symbols may have been taken out.

Their source, of exactly these versions:
  https://download.qt.io/official_releases/qt/{series}/{qt}/single/
  https://download.qt.io/official_releases/QtForPython/pyside6/PySide6-{pyside}-src/

They are libraries of their own beside the program, and you may replace them with your own builds. The three are
replaced together, for each knows the others' inner parts:
  1. Take the packages PySide6-Essentials and shiboken6 of another {series} release, or build them from the source
     above.
  2. Copy their folders PySide6 and shiboken6 over the folders of the same names in this bundle. Leave the files out
     for which the bundle has none.
  3. On macOS, sign again: codesign --force --deep --sign - "Pet Store Desktop.app"
This was tried on Linux, with 6.11.1 in place of 6.11.3. Qt's libraries alone, of an older release, do not load.
You may take the program apart to find errors in such a change.

Qt contains parts of others, all under licences that allow this. Those that are found in the files are in
{list}. The copyright files of Debian's packages of Qt in Qt-{qt}/ name the others with their texts, as does
https://doc.qt.io/qt-6/licenses-used-in-qt.html for the latest version.
"""


def write(found: Sequence[Component], site: Path, out: Path, places: Sequence[Path] = (GATHERED, SHARED)) -> None:
    """Write the licences of what was found in a bundle (`sbom.write`) into the folder `out`, which is made anew.

    `site` is the folder of packages that the bundle was built from. Raises ReleaseError where the text of anything is
    missing.
    """
    texts = Texts(Environment(site), tuple(places))
    shutil.rmtree(out, ignore_errors=True)
    lines = [line for one in found if not is_part(one) for line in own_texts(one, texts, out)]
    lines += parts_of_wheels([one for one in found if is_part(one)], texts, out)
    copy_common(texts, out)
    put(out / "Pet-Store-Desktop-LICENSE.txt", dict(texts.find("ours"))["MIT.txt"])
    put(out / LIST, ("\n".join(lines) + "\n").encode())
    put(out / NOTICE, notice(found, version.current()).encode())


def is_part(one: Component) -> bool:
    """Say whether a component is known from the list in a wheel, and so brings no text of its own."""
    return one.texts == ("expression",)


def own_texts(one: Component, texts: Texts, out: Path) -> list[str]:
    """Write the texts of one component; return its lines in the list."""
    if not one.texts:
        raise ReleaseError(
            f"No text is known for the licence of {one.title}: say where in packaging/release/inside/native.py."
        )
    folder = re.sub(r"[^\w.+-]+", "-", one.title)
    names: list[str] = []
    for source in one.texts:
        for name, text in texts.find(source):
            where = f"common/{name}" if source.startswith("common:") else f"{folder}/{source_name(source, name)}"
            put(out / where, text)
            names.append(where)
    inside = f" (inside {one.within})" if one.within else ""
    return [f"{one.title}{inside}", f"    licence: {one.licence}", *(f"    text: {name}" for name in names), ""]


def source_name(source: str, name: str) -> str:
    """Return the name of a text's file: with Debian's package, where it is from one."""
    kind, _, package = source.partition(":")
    return f"{package}-{name}" if kind == "doc" else name


def parts_of_wheels(found: Iterable[Component], texts: Texts, out: Path) -> list[str]:
    """Write the licences of what is compiled into wheels, which bring no texts for it; return the lines in the list.

    The text of such a licence is the same for all but the line with the holders, and those are named beside.
    """
    lines: list[str] = []
    used: set[str] = set()
    for one in found:
        under = chosen(one.licence) if one.licence else []
        if not under:
            raise ReleaseError(f"{one.title} inside {one.within} does not say what its licence is.")
        used.update(under)
        holders = one.authors or f"the authors of {one.name}"
        lines += [f"{one.title} (inside {one.within})", f"    licence: {one.licence}", f"    copyright: {holders}"]
        lines += [*(f"    text: parts/{name}.txt" for name in under), ""]
    for name in sorted(used):
        (_, text), *_ = texts.find(EXPRESSIONS[name])
        ours = b"Copyright (c) 2026 Pet Store Desktop contributors"
        if name == "MIT" and ours not in text:
            raise ReleaseError("The file LICENSE has changed, from which release/inside/licences.py takes MIT's text.")
        put(out / "parts" / f"{name}.txt", text.replace(ours, b"Copyright: those named in " + LIST.encode()))
    return lines


def copy_common(texts: Texts, out: Path) -> None:
    """Write the texts that Debian's copyright files only name, by their place on a Debian system."""
    said = {name.decode() for file in out.rglob("*copyright.txt") for name in COMMON.findall(file.read_bytes())}
    for name in sorted(said):
        (_, text), *_ = texts.find(f"common:{name}")
        put(out / "common" / f"{name}.txt", text)


def notice(found: Sequence[Component], program: str) -> str:
    """Return the notice: how Qt may be replaced, and where its source is. Raises ReleaseError where Qt is not found."""
    versions = {one.name.lower().replace("_", "-"): one.version for one in found}
    missing = [name for name in ("qt", *QT_SET) if not versions.get(name)]
    if missing:
        raise ReleaseError(f"The notice for Qt cannot be written: {', '.join(missing)} not found in the bundle.")
    if versions[QT_SET[0]] != versions[QT_SET[1]]:
        raise ReleaseError(f"PySide6 {versions[QT_SET[0]]} and shiboken6 {versions[QT_SET[1]]} do not belong together.")
    title = f"Pet Store Desktop {program}: licences"
    return NOTICE_TEXT.format(
        version=program,
        line="=" * len(title),
        list=LIST,
        sbom="sbom.cdx.json",
        qt=versions["qt"],
        pyside=versions[QT_SET[0]],
        series=versions["qt"].rpartition(".")[0],
    )
