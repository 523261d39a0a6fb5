"""Checksums and signatures: what is made here is accepted by sha256sum and minisign, and the other way round; what was
changed by anybody is refused."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from release import ReleaseError, owner
from release.__main__ import main
from release.checksums import SUMS, check_sums, sums
from release.signatures import PublicKey, SecretKey, lines_of, new_keys, public_key, read_secret, sign, verify

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """A folder with what is published."""
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "petstore.deb").write_bytes(b"a package" * 10_000)
    (folder / "petstore.whl").write_bytes(b"")
    (folder / "sbom.cdx.json").write_text("{}", "utf-8")
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> SecretKey:
    """A secret key made here."""
    new_keys(tmp_path / "release.key")
    return read_secret(tmp_path / "release.key")


def run(*command: str | Path, folder: Path | None = None) -> int:
    return subprocess.run([str(part) for part in command], check=False, cwd=folder, capture_output=True).returncode


def test_sha256sum_accepts_the_checksums(dist: Path) -> None:
    sums(dist)
    assert run("sha256sum", "--check", "--strict", SUMS, folder=dist) == 0
    assert check_sums(dist) == ["petstore.deb", "petstore.whl", "sbom.cdx.json"]


def test_checksums_made_twice_are_the_same_and_leave_signatures_out(dist: Path, secret: SecretKey) -> None:
    first = sums(dist).read_bytes()
    sign(dist / SUMS, secret, "one")
    sign(dist / "petstore.deb", secret, "two")
    assert sums(dist).read_bytes() == first
    assert len(check_sums(dist)) == 3


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda dist: (dist / "petstore.whl").write_bytes(b"x"), "petstore.whl differs"),
        (lambda dist: (dist / "petstore.deb").unlink(), "petstore.deb is missing"),
        (lambda dist: (dist / "more.exe").write_bytes(b"x"), "more.exe is not listed"),
        (lambda dist: (dist / SUMS).write_text("nothing\n", "utf-8"), "no checksum"),
        (lambda dist: (dist / SUMS).write_text(f"{'0' * 64}  ../etc/passwd\n", "utf-8"), "no checksum"),
        (lambda dist: (dist / SUMS).unlink(), "There is no SHA256SUMS"),
    ],
)
def test_whatever_differs_from_the_checksums_is_named(dist: Path, damage: object, said: str) -> None:
    sums(dist)
    assert callable(damage)
    damage(dist)
    with pytest.raises(ReleaseError, match=said):
        check_sums(dist)


def test_an_empty_folder_has_no_checksums(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="nothing in"):
        sums(tmp_path)


def test_minisign_accepts_what_is_signed_here(dist: Path, secret: SecretKey) -> None:
    place = sums(dist)
    sign(place, secret, "Pet Store Desktop 9.8.7")
    assert run("minisign", "-V", "-m", place, "-P", secret.public.text) == 0
    place.write_bytes(place.read_bytes() + b"\n")
    assert run("minisign", "-V", "-m", place, "-P", secret.public.text) != 0


def test_what_minisign_signs_is_accepted_here_with_its_keys_too(dist: Path, tmp_path: Path) -> None:
    public, key = tmp_path / "other.pub", tmp_path / "other.key"
    assert run("minisign", "-G", "-W", "-p", public, "-s", key) == 0
    place = sums(dist)
    assert run("minisign", "-S", "-s", key, "-m", place, "-t", "by minisign") == 0
    known = public_key(lines_of(public)[-1], public)
    assert verify(place, known) == "by minisign"
    assert read_secret(key).public == known
    sign(place, read_secret(key), "by its key")
    assert verify(place, known) == "by its key"


def damaged(place: Path, line: int, at: int) -> None:
    """Turn over one bit of a base64 line of a signature."""
    lines = place.read_text("utf-8").splitlines()
    content = bytearray(base64.b64decode(lines[line]))
    content[at] ^= 1
    lines[line] = base64.b64encode(content).decode()
    place.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("line", "at", "said"),
    [
        (1, 0, "older form"),
        (1, 4, "another key"),
        (1, 40, "does not fit"),
        (3, 10, "does not fit"),
    ],
)
def test_a_signature_with_one_wrong_bit_is_refused(
    dist: Path, secret: SecretKey, line: int, at: int, said: str
) -> None:
    place = sign(sums(dist), secret, "one")
    damaged(place, line, at)
    with pytest.raises(ReleaseError, match=said):
        verify(dist / SUMS, secret.public)


def test_a_changed_comment_is_refused_because_it_is_signed_too(dist: Path, secret: SecretKey) -> None:
    place = sign(sums(dist), secret, "Pet Store Desktop 1.0.0")
    place.write_text(place.read_text("utf-8").replace("1.0.0", "2.0.0"), "utf-8")
    with pytest.raises(ReleaseError, match="does not fit"):
        verify(dist / SUMS, secret.public)


def test_another_key_of_the_same_number_is_refused(dist: Path, secret: SecretKey, tmp_path: Path) -> None:
    sign(sums(dist), secret, "one")
    other = new_keys(tmp_path / "other.key")
    with pytest.raises(ReleaseError, match="another key"):
        verify(dist / SUMS, other)
    with pytest.raises(ReleaseError, match="does not fit"):
        verify(dist / SUMS, PublicKey(secret.public.number, other.key))


@pytest.mark.parametrize("content", ["", "one line\n", "a\nb\nc\nd\n", "a\n!!\ntrusted comment: x\n!!\n", "x" * 70_000])
def test_what_is_no_signature_is_refused(dist: Path, secret: SecretKey, content: str) -> None:
    place = sums(dist)
    place.with_name(f"{SUMS}.minisig").write_text(content, "utf-8")
    with pytest.raises(ReleaseError):
        verify(place, secret.public)


def test_a_comment_of_two_lines_is_not_signed(dist: Path, secret: SecretKey) -> None:
    with pytest.raises(ReleaseError, match="one line"):
        sign(sums(dist), secret, "one\ntrusted comment: two")


def test_a_secret_key_is_for_its_owner_alone_and_is_not_written_over(tmp_path: Path) -> None:
    place = tmp_path / "release.key"
    new_keys(place)
    before = place.read_bytes()
    assert place.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ReleaseError, match="already"):
        new_keys(place)
    assert place.read_bytes() == before


def test_a_key_with_a_password_is_left_to_minisign(tmp_path: Path, secret: SecretKey) -> None:
    place = tmp_path / "release.key"
    head, line = place.read_text("utf-8").splitlines()
    content = bytearray(base64.b64decode(line))
    content[2:4] = b"Sc"
    place.write_text(f"{head}\n{base64.b64encode(content).decode()}\n", "utf-8")
    with pytest.raises(ReleaseError, match=r"has a password.*minisign -Sm"):
        read_secret(place)


def test_a_damaged_secret_key_without_a_checksum_as_minisign_writes_it_is_told(tmp_path: Path) -> None:
    place = tmp_path / "other.key"
    assert run("minisign", "-G", "-W", "-p", tmp_path / "other.pub", "-s", place) == 0
    damaged(place, 1, 70)
    with pytest.raises(ReleaseError, match="is damaged"):
        read_secret(place)


def test_a_damaged_secret_key_is_told(tmp_path: Path, secret: SecretKey) -> None:
    damaged(tmp_path / "release.key", 1, 70)
    with pytest.raises(ReleaseError, match="is damaged"):
        read_secret(tmp_path / "release.key")


def test_signing_stops_at_the_placeholder_and_at_a_key_that_is_not_the_owner_s(
    dist: Path, secret: SecretKey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sign", str(dist), str(tmp_path / "release.key")]
    assert main(command) == 1
    assert "minisign_public_key in packaging/release/owner.toml is not filled in" in capsys.readouterr().err
    known = {"minisign_public_key": new_keys(tmp_path / "other.key").text}
    monkeypatch.setattr(owner, "values", lambda _: known)
    assert main(command) == 1
    assert "not the one whose public key" in capsys.readouterr().err
    known["minisign_public_key"] = secret.public.text
    assert main(command) == 0
    assert main(["verify", str(dist)]) == 0
    assert "3 files as signed" in capsys.readouterr().out
    news = tmp_path / "update.json"
    news.write_text("{}", "utf-8")
    assert main(["sign-file", str(news), str(tmp_path / "release.key"), "timestamp:1"]) == 0
    assert verify(news, secret.public) == "timestamp:1"


def test_a_published_folder_is_checked_with_a_key_of_ones_own(dist: Path, secret: SecretKey, tmp_path: Path) -> None:
    sign(sums(dist), secret, "one")
    copy = tmp_path / "downloaded"
    shutil.copytree(dist, copy)
    assert main(["verify", str(copy), "--key", secret.public.text]) == 0
    assert main(["verify", str(copy), "--key", str(tmp_path / "release.key.pub")]) == 0
    (copy / "petstore.deb").write_bytes(b"another package")
    assert main(["verify", str(copy), "--key", secret.public.text]) == 1


def test_systems_without_the_library_for_signatures_still_build(dist: Path) -> None:
    without = "import sys; sys.modules['cryptography'] = None; "
    said = without + "from release.__main__ import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", said, "checksums", str(dist)]
    done = subprocess.run(command, check=False, cwd=ROOT / "packaging", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(check_sums(dist)) == 3
