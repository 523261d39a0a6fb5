from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from petstore_desktop.contract.binding.load import load_file
from petstore_desktop.contract.document import local_file as local
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import DocumentUnusable

HEAD = "openapi: 3.1.0\npaths: {/creatures: {get: {responses: {200: {content: {a/json: {schema: {$ref: '%s'}}}}}}}}\n"
PETS = "{type: array, items: {type: object, properties: {name: {}, categoryId: {}}}}"


def beside(folder: Path, reference: str, **files: str) -> Contract:
    """The contract of a document with one reference, and these files beside it; `/pets` can be used in any case."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    text = (HEAD % reference).replace("paths: {", "paths: {/store/orders: {get: {}}, ")
    (folder / "openapi.yaml").write_text(text, encoding="utf-8")
    return load_file(str(folder / "openapi.yaml"))


@pytest.mark.parametrize(
    "reference", ["pets.yaml", "pets.yaml#", "pets.yaml#/", "./pets.yaml", "pets%2Eyaml", "more/../pets.yaml"]
)
def test_a_file_beside_the_document_is_read(tmp_path: Path, reference: str) -> None:
    (tmp_path / "more").mkdir()
    assert Op.PETS_LIST in beside(tmp_path, reference, pets=PETS).operations


def test_a_part_of_a_file_is_found_through_its_own_references(tmp_path: Path) -> None:
    text = "{a/b: {$ref: '#/c/0'}, c: [{$ref: 'pets.yaml'}]}"
    assert Op.PETS_LIST in beside(tmp_path, "parts.yaml#/a~1b", parts=text, pets=PETS).operations


@pytest.mark.parametrize(
    "reference",
    [
        "../pets.yaml",
        "..%2Fpets.yaml",
        "sub/../../pets.yaml",
        "/etc/hostname",
        "file:///etc/hostname",
        "https://elsewhere.example/pets.yaml",
        "//elsewhere.example/pets.yaml",
        "C:/pets.yaml",
        "..\\\\pets.yaml",
        "link.yaml",
        "linked/pets.yaml",
        ".",
        "",
    ],
)
def test_nothing_outside_of_the_documents_folder_is_read(tmp_path: Path, reference: str) -> None:
    (tmp_path / "pets.yaml").write_text(PETS, encoding="utf-8")
    folder = tmp_path / "documents"
    (folder / "sub").mkdir(parents=True)
    if sys.platform != "win32":
        (folder / "link.yaml").symlink_to(tmp_path / "pets.yaml")
        (folder / "linked").symlink_to(tmp_path)
    contract = beside(folder, reference)
    assert set(contract.operations) == {Op.ORDERS_LIST}
    assert contract.warnings or not reference


@pytest.mark.posix("pipes have names in folders")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    contract = beside(tmp_path, "pipe.yaml")
    assert contract.warnings == ("a reference is not followed: pipe.yaml: it cannot be read",)
    with pytest.raises(DocumentUnusable) as caught:
        load_file(str(tmp_path / "pipe.yaml"))
    assert caught.value.code == "document-missing"


def test_files_are_bounded_in_number_and_in_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "MAX_FILES", 3)
    chain = {f"f{n}": f"{{$ref: 'f{n + 1}.yaml'}}" for n in range(9)}
    assert any("more than 3 files" in words for words in beside(tmp_path, "f0.yaml", **chain).warnings)

    monkeypatch.setattr(local, "MAX_BYTES", 2000)
    contract = beside(tmp_path, "long.yaml", long=f"# {'x' * 4000}\n{PETS}")
    assert contract.warnings == ("a reference is not followed: long.yaml: the files are too large",)
    with pytest.raises(DocumentUnusable) as caught:
        load_file(str(tmp_path / "long.yaml"))
    assert caught.value.code == "document-too-large"


def test_a_document_that_holds_itself_is_read_to_its_end(tmp_path: Path) -> None:
    contract = beside(tmp_path, "pets.yaml", pets="&self {items: *self, $ref: 'pets.yaml'}")
    assert Op.ORDERS_LIST in contract.operations
