"""Writes the list of what is in a bundle: CycloneDX 1.6, as JSON, the same bytes for the same bundle."""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from release import cut, version
from release.inside.contents import PROGRAM, Component, Environment, components
from release.inside.frozen import Bundle

Json: TypeAlias = dict[str, Any]
FILE = "sbom.cdx.json"
ID = re.compile(r"[A-Za-z0-9.+-]+")
WORDS = ("AND", "OR", "WITH")


def write(bundle: Path, site: Path, out: Path) -> list[Component]:
    """Write the list of what is in a bundle that was built from the packages in `site`, and return it.

    Raises ReleaseError where something in the bundle is of nobody, or says no version that it must say.
    """
    holds = Bundle(bundle)
    found = components(holds, Environment(site))
    out.write_text(json.dumps(document(holds, found), indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    return found


def document(bundle: Bundle, found: Sequence[Component]) -> Json:
    """Return the whole list."""
    listed = [entry(bundle, one) for one in found]
    program = {"type": "application", "bom-ref": PROGRAM, "name": PROGRAM, "version": version.current()}
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made_at(), UTC).isoformat(),
            "component": {**program, "licenses": [{"expression": "MIT"}], "purl": f"pkg:generic/{PROGRAM}"},
        },
        "components": listed,
        "dependencies": list(dependencies(found)),
    }


def made_at() -> int:
    """Return the second that the list is dated with: what SOURCE_DATE_EPOCH says, else that of the last commit."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or cut.git(version.ROOT, "log", "-1", "--format=%ct"))


def reference(one: Component) -> str:
    """Return how a component is named inside the list: unique, because what brings it is said too."""
    said = one.purl or f"{one.name}@{one.version}"
    return f"{one.within}/{said}" if one.within else said


def entry(bundle: Bundle, one: Component) -> Json:
    """Return one component of the list."""
    properties = {f"{PROGRAM}:read-from": one.said_by, f"{PROGRAM}:brought-by": one.within}
    made: Json = {
        "type": "library",
        "bom-ref": reference(one),
        "name": one.name,
        "licenses": [licence(one.licence)] if one.licence else [],
        "properties": [{"name": name, "value": value} for name, value in properties.items() if value],
    }
    made |= {"version": one.version} if one.version else {}
    made |= {"purl": one.purl} if one.purl else {}
    made |= {"authors": [{"name": one.authors}]} if one.authors else {}
    if one.files:
        made["evidence"] = {"occurrences": [{"location": file} for file in sorted(one.files)]}
        made |= {"hashes": [hashed(bundle, one.files[0])]} if len(one.files) == 1 else {}
    return made


def hashed(bundle: Bundle, file: str) -> Json:
    """Return the digest of a component's only file."""
    return {"alg": "SHA-256", "content": hashlib.sha256((bundle.root / file).read_bytes()).hexdigest()}


def licence(said: str) -> Json:
    """Return a licence as an expression where it is one, else by name."""
    words = said.replace("(", " ").replace(")", " ").split()
    ids, joins = words[::2], words[1::2]
    is_expression = len(words) % 2 and all(map(ID.fullmatch, ids)) and all(join in WORDS for join in joins)
    return {"expression": said} if is_expression else {"license": {"name": said}}


def dependencies(found: Iterable[Component]) -> Iterator[Json]:
    """Yield what brings what: the program its packages and libraries, a package the libraries inside its wheel."""
    found = list(found)
    packages = {one.purl.partition("/")[2].partition("@")[0]: reference(one) for one in found if not one.within}
    yield {"ref": PROGRAM, "dependsOn": sorted(packages.values())}
    for name, ref in sorted(packages.items()):
        if parts := sorted({reference(one) for one in found if one.within == name}):
            yield {"ref": ref, "dependsOn": parts}
