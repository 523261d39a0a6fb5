"""`profile NAME --out FILE` and `connect --profile FILE`: what is followed, kept, compared and refused."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.data_folder import Places
from petstore_desktop.domain.records import Resource
from tests.program.running import command
from tests.support.odd_service import LIMITS, Asked, OddService, Reply, error
from tests.support.services.named import SCENARIOS
from tests.support.services.service import Service
from tests.support.shop import KEY

PETS = Resource.PETS


@pytest.fixture
def service() -> Iterator[Service]:
    with Service(SCENARIOS["shared"]).served() as service:
        yield service


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def run(data: Path, *arguments: str, key: str | None = None) -> subprocess.CompletedProcess[str]:
    return command("--data-dir", str(data), *arguments, key=key)


def written(data: Path, service: Service, file: Path) -> str:
    """The profile of a connection that was read once."""
    assert run(data, "connect", "Shop", "--url", service.url).returncode == 0
    assert run(data, "sync", "Shop", key=service.key).returncode == 0
    assert run(data, "profile", "Shop", "--out", str(file)).returncode == 0
    return file.read_text(encoding="utf-8")


def test_a_profile_is_written_followed_after_its_file_is_gone_and_written_again_as_it_was(
    service: Service, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "shop.toml"
    words = written(data, service, file)
    assert run(data, "connect", "Second", "--url", service.url, "--profile", str(file)).returncode == 0
    file.unlink()
    assert run(data, "profile", "Second").stdout == words
    said = run(data, "doctor", "Second", key=service.key)
    assert (said.returncode, "follows a profile, and nothing is guessed: shared" in said.stdout) == (0, True)
    assert run(data, "sync", "Second", key=service.key).returncode == 0
    for given, left in (("+5", 5), ("=9", 9 - 6)):
        assert run(data, "stock", "Second", "2", given, key=service.key).returncode == 0
        assert service.value(Resource.INVENTORY, 2, "quantity") == 6 + left
    assert run(data, "profile", "Second").stdout == words
    assert service.complaints == []


def test_what_the_services_document_says_otherwise_is_said_before_anything_is_sent_and_once(
    service: Service, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "shop.toml"
    words = written(data, service, file)
    file.write_text(words.replace('"name!: string"', '"name!: string", "colour: string"'), encoding="utf-8")
    assert run(data, "connect", "Second", "--url", service.url, "--profile", str(file)).returncode == 0
    said = run(data, "doctor", "Second", key=service.key)
    assert (said.returncode, "pets.change: its body has no colour" in said.stdout) == (0, True)
    first = run(data, "sync", "Second", key=service.key)
    assert "pets.change: its body has no colour" in first.stderr
    assert run(data, "sync", "Second", key=service.key).stderr == ""
    assert service.written == []


def test_a_connection_ends_to_follow_a_profile_and_a_later_connect_leaves_it(
    service: Service, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "shop.toml"
    written(data, service, file)
    assert run(data, "connect", "Shop", "--url", service.url, "--profile", str(file)).returncode == 0
    assert run(data, "connect", "Shop", "--url", service.url, "--plan", "pro").returncode == 0
    assert "follows a profile" in run(data, "doctor", "Shop", key=service.key).stdout
    assert run(data, "connect", "Shop", "--url", service.url, "--profile", "").returncode == 0
    assert "publishes its OpenAPI document" in run(data, "doctor", "Shop", key=service.key).stdout


def test_the_documents_places_get_the_key_where_the_profile_says_and_are_not_asked_at_the_next_start(
    data: Path, tmp_path: Path
) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.headers.get("x-api-key") != KEY:
            return error(401)
        return Reply(200, [], LIMITS) if asked.path == "/v1/pets" else error(404)

    file = tmp_path / "shop.toml"
    file.write_text('profile = 1\nkey = { header = "X-API-Key" }\n[pets]\nlist = "GET /pets"\n')
    with OddService(answer) as shop:
        assert run(data, "connect", "Shop", "--url", shop.url, "--profile", str(file)).returncode == 0
        for words in ("doctor", "sync"):
            assert run(data, words, "Shop", key=KEY).returncode == 0
        assert all(asked.headers.get("x-api-key") == KEY for asked in shop.asked)
        before = len(shop.asked)
        assert run(data, "sync", "Shop", key=KEY).returncode == 0
        assert [asked.path for asked in shop.asked[before:]] == ["/v1/pets"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("profile = 1\n[pets]\nlist = 'POST /pets'", "pets.list: call: it begins with GET"),
        ("profile = 1\n[pets", "it is no TOML"),
        ("", "profile: `profile = 1` is wanted"),
    ],
)
def test_a_profile_that_cannot_be_followed_changes_nothing(data: Path, tmp_path: Path, words: str, why: str) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(words)
    for option in ("--profile", "--document"):
        said = run(data, "connect", "Shop", "--url", "https://shop.example/v1", option, str(file))
        assert (said.returncode, why in said.stderr, said.stderr.count("\n")) == (1, True, 1), said.stderr
    assert not Places(data).preferences.exists()


def test_names_of_none_are_refused_in_words(service: Service, data: Path) -> None:
    said = run(data, "connect", "Shop", "--url", service.url, "--profile", "nobody")
    assert (said.returncode, "there is no profile nobody" in said.stderr) == (1, True)
    assert run(data, "connect", "Shop", "--url", service.url).returncode == 0
    said = run(data, "profile", "Shop")
    assert (said.returncode, "is not known yet" in said.stderr) == (1, True)


def test_where_the_kept_profile_is_damaged_nothing_is_guessed(service: Service, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    written(data, service, file)
    assert run(data, "connect", "Shop", "--url", service.url, "--profile", str(file)).returncode == 0
    Places(data).profile("shop").write_text("profile = 1\n")
    said = run(data, "sync", "Shop", key=service.key)
    assert (said.returncode, "it names no operation" in said.stderr) == (1, True)
    assert run(data, "stock", "Shop", "2", "+5", key=service.key).returncode == 1
    assert service.written == []
