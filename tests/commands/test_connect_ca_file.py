"""`connect --ca-file`, and what the commands say of certificates: over real sockets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.cli import main
from petstore_desktop.data_folder import Places
from petstore_desktop.preferences import PreferenceStore, ShopConnection
from tests.support.shop import KEY, Shop
from tests.support.tls import Authority, Front

URL = "https://shop.example/v1"


@pytest.fixture(scope="module")
def front(ours: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=10) as shop:
        port = int(shop.url.rpartition(":")[2].partition("/")[0])
        with Front(port, ours.context("localhost")) as front:
            yield front


def run(data: Path, *arguments: str) -> int:
    return main([*arguments, "--data-dir", str(data)])


def kept(data: Path) -> ShopConnection:
    (connection,) = PreferenceStore(Places(data).preferences).load().connections
    return connection


def test_a_ca_file_is_kept_by_its_whole_path_until_another_or_none_is_given(
    ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ours.file.parent)
    connect = ("connect", "Shop", "--url", URL)
    assert run(tmp_path, *connect, "--ca-file", ours.file.name) == 0
    assert kept(tmp_path).ca_file == str(ours.file)
    assert run(tmp_path, *connect, "--plan", "pro") == 0
    assert kept(tmp_path).ca_file == str(ours.file)
    assert run(tmp_path, *connect, "--ca-file", "") == 0
    assert kept(tmp_path).ca_file is None


@pytest.mark.parametrize(("content", "words"), [(None, "there is no file"), ("nothing", "holds no certificate")])
def test_a_ca_file_that_is_none_is_refused_in_words_and_nothing_is_changed(
    content: str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    assert run(tmp_path, "connect", "Shop", "--url", URL, "--ca-file", str(file)) == 1
    said = capsys.readouterr().err
    assert words in said
    assert str(file) in said
    assert "nothing was changed" in said
    assert said.count("\n") == 1
    assert not Places(tmp_path).preferences.exists()


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_a_sync_with_the_ca_file_reads_everything_and_without_it_says_why_not(
    ours: Authority,
    front: Front,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PETSTORE_API_KEY", KEY)
    assert run(tmp_path, "connect", "Shop", "--url", front.url) == 0
    capsys.readouterr()
    before = len(front.heard)
    assert run(tmp_path, "sync", "Shop") == 1
    said = capsys.readouterr().err
    assert f"localhost:{front.port} is signed by Our own authority, which this computer does not trust" in said
    assert "--ca-file" in said
    assert len(front.heard) == before
    assert run(tmp_path, "connect", "Shop", "--url", front.url, "--ca-file", str(ours.file)) == 0
    capsys.readouterr()
    assert run(tmp_path, "sync", "Shop", "--json") == 0
    assert json.loads(capsys.readouterr().out)["resources"]["pets"]["rows"] == 10


@pytest.mark.wine("a chain of certificates that ends nowhere is refused")
def test_a_check_names_the_authority_that_is_missing_and_is_content_with_the_ca_file(
    ours: Authority,
    front: Front,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PETSTORE_API_KEY", KEY)
    for options, ok in (((), False), (("--ca-file", str(ours.file)), True)):
        assert run(tmp_path, "connect", "Shop", "--url", front.url, *options) == 0
        capsys.readouterr()
        assert run(tmp_path, "doctor", "Shop", "--json") == (0 if ok else 1)
        checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
        assert checks["tls"]["ok"] is ok
        assert ("signed by Our own authority" in checks["tls"]["said"]) is not ok


@pytest.mark.parametrize("option", ["--insecure", "--no-verify", "-k"])
def test_there_is_no_switch_that_turns_the_checks_off(option: str, tmp_path: Path) -> None:
    assert run(tmp_path, "connect", "Shop", "--url", URL, option) == 2
