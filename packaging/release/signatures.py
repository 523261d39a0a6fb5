"""Signatures of what is published, in minisign's form, made and checked here.

A signature is over the BLAKE2b digest of a file (minisign's prehashed form, "ED"), and a second one binds the trusted
comment to it. The secret key is a file of minisign's own without a password, which the owner keeps outside.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from release import ReleaseError
from release.checksums import SUFFIX, SUMS

LONGEST = 64 * 1024
"""No key or signature is longer (bytes)."""
PLAIN, HASHED = b"Ed", b"ED"
UNENCRYPTED, BLAKE2B = b"\0\0", b"B2"


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What signatures are checked with: a number that tells keys apart, and the key."""

    number: bytes
    key: bytes

    @property
    def text(self) -> str:
        """The line that minisign's -P takes."""
        return base64.b64encode(PLAIN + self.number + self.key).decode()


@dataclass(frozen=True, slots=True)
class SecretKey:
    """What signatures are made with."""

    number: bytes
    key: Ed25519PrivateKey

    @property
    def public(self) -> PublicKey:
        """The key to check its signatures with."""
        return PublicKey(self.number, self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def sign(path: Path, secret: SecretKey, comment: str) -> Path:
    """Write the signature of a file beside it; the comment is signed too. Raises ReleaseError."""
    if "\n" in comment or "\r" in comment:
        raise ReleaseError("The comment of a signature is one line.")
    signature = secret.key.sign(hashed(path))
    bound = secret.key.sign(signature + comment.encode())
    place = path.with_name(path.name + SUFFIX)
    lines = (
        f"untrusted comment: signature of {path.name}",
        base64.b64encode(HASHED + secret.number + signature).decode(),
        f"trusted comment: {comment}",
        base64.b64encode(bound).decode(),
    )
    place.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    return place


def verify(path: Path, public: PublicKey, signature: Path | None = None) -> str:
    """Check the signature beside a file, and return its trusted comment.

    Raises ReleaseError where it is missing, damaged, another key's, or not that of this file.
    """
    place = signature or path.with_name(path.name + SUFFIX)
    lines = lines_of(place)
    if len(lines) != 4 or not lines[2].startswith("trusted comment: "):
        raise ReleaseError(f"{place} is no signature of minisign's.")
    said, bound = decoded(lines[1], place, 74), decoded(lines[3], place, 64)
    if said[:2] != HASHED:
        raise ReleaseError(f"{place} is of an older form of signatures, which is not accepted.")
    if said[2:10] != public.number:
        raise ReleaseError(f"{place} was made with another key.")
    comment = lines[2].removeprefix("trusted comment: ")
    key = Ed25519PublicKey.from_public_bytes(public.key)
    try:
        key.verify(said[10:], hashed(path))
        key.verify(bound, said[10:] + comment.encode())
    except InvalidSignature:
        raise ReleaseError(f"The signature {place.name} does not fit {path}: one of them was changed.") from None
    return comment


def hashed(path: Path) -> bytes:
    """Return the digest that is signed: BLAKE2b, of 64 bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=64)).digest()


def lines_of(place: Path) -> list[str]:
    """Return the lines of a key or signature. Raises ReleaseError where there are none, or far too many."""
    if not place.is_file() or place.stat().st_size > LONGEST:
        raise ReleaseError(f"There is no key or signature in {place}.")
    return place.read_text("utf-8", "replace").splitlines()


def decoded(line: str, place: Path, length: int) -> bytes:
    """Return the bytes of a line. Raises ReleaseError where it has not so many."""
    try:
        found = base64.b64decode(line, validate=True)
    except binascii.Error:
        found = b""
    if len(found) != length:
        raise ReleaseError(f"{place} is damaged, or no file of minisign's.")
    return found


def public_key(text: str, place: Path) -> PublicKey:
    """Read a public key from its line. Raises ReleaseError."""
    found = decoded(text, place, 42)
    if found[:2] != PLAIN:
        raise ReleaseError(f"{place} has no public key of minisign's.")
    return PublicKey(found[2:10], found[10:])


def read_secret(place: Path) -> SecretKey:
    """Read a secret key that has no password (`minisign -G -W`, or `new_keys`).

    Raises ReleaseError where there is none, it has a password, or it was damaged.
    """
    lines = lines_of(place)
    found = decoded(lines[1] if len(lines) > 1 else "", place, 158)
    if found[:2] != PLAIN or found[4:6] != BLAKE2B:
        raise ReleaseError(f"{place} is no secret key of minisign's.")
    if found[2:4] != UNENCRYPTED:
        raise ReleaseError(f"{place} has a password. Sign with minisign itself: minisign -Sm {SUMS} -s {place}")
    number, seed, key, check = found[54:62], found[62:94], found[94:126], found[126:]
    secret = SecretKey(number, Ed25519PrivateKey.from_private_bytes(seed))
    right = hashlib.blake2b(found[:2] + number + seed + key, digest_size=32).digest()
    if secret.public.key != key or (check != bytes(32) and not hmac.compare_digest(check, right)):
        raise ReleaseError(f"{place} is damaged.")
    return secret


def new_keys(place: Path) -> PublicKey:
    """Make a pair of keys: the secret one at `place`, for its owner's eyes only, the public one beside it with .pub.

    Raises ReleaseError where a key is there already.
    """
    number, key = os.urandom(8), Ed25519PrivateKey.generate()
    secret = SecretKey(number, key)
    pair = key.private_bytes_raw() + secret.public.key
    check = hashlib.blake2b(PLAIN + number + pair, digest_size=32).digest()
    content = PLAIN + UNENCRYPTED + BLAKE2B + bytes(48) + number + pair + check
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise ReleaseError(f"There is a key at {place} already; it is left as it is.") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"untrusted comment: secret key, without a password\n{base64.b64encode(content).decode()}\n")
    public = place.with_name(place.name + ".pub")
    public.write_text(f"untrusted comment: public key\n{secret.public.text}\n", "utf-8")
    return secret.public
