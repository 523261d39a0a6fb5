"""Whom a connection trusts: the certificate authorities of the system, and those in a file that a person chose.

There is no way round them: nothing in this program makes a connection to a server whose certificate is not checked.
"""

from __future__ import annotations

import errno
import re
import ssl
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.regular_files import read_regular

FILE_CAP = 4 * 1024 * 1024
"""Bytes; a file with all authorities of a large company is far below that."""
SHOWN = 100
"""Characters of a name in a certificate, which may say anything."""

_PEM = re.compile(rb"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")


def read_certificates(path: str) -> str:
    """The certificates in a file, as PEM (RFC 7468); one that holds a single certificate as DER will do as well.

    Raises BadInput with the `path`: `ca-file-missing`, `ca-file-unreadable` (and `why`), `ca-file-too-large`
    (and `megabytes`), `ca-file-no-certificate`.
    """
    try:
        content = read_regular(Path(path), FILE_CAP)
    except FileNotFoundError as error:
        raise BadInput("ca-file-missing", path=path) from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise BadInput("ca-file-too-large", path=path, megabytes=FILE_CAP // 1_048_576) from error
        raise BadInput("ca-file-unreadable", path=path, why=error.strerror) from error
    blocks = [block.decode("ascii", "replace") for block in _PEM.findall(content)]
    pem = "\n".join(blocks or [ssl.DER_cert_to_PEM_cert(content)] if blocks or content[:1] == b"\x30" else [])
    try:
        if not pem:
            raise ValueError
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem)
    except (ssl.SSLError, ValueError):
        raise BadInput("ca-file-no-certificate", path=path) from None
    return pem


def trust(ca_file: str | None) -> ssl.SSLContext:
    """What checks a server's certificate: the system's own store and, beside it, the certificates in this file. Raises
    BadInput as `read_certificates` does."""
    import truststore  # 35 ms, and only https needs it

    own = None if ca_file is None else read_certificates(ca_file)

    class Remembering(truststore.SSLContext):
        """Remembers, for each task, the handshakes that it began: they alone know what the server showed."""

        def wrap_bio(self, *args: Any, **named: Any) -> ssl.SSLObject:
            made = super().wrap_bio(*args, **named)
            if (begun := _begun.get(None)) is not None:
                begun.append(made)
            return made

    context = Remembering(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2  # RFC 8996: earlier versions are no longer safe
    if own is not None:
        context.load_verify_locations(cadata=own)
        # What a person named is trusted itself, though it be no root (X509_VERIFY_PARAM_set_flags(3ssl)).
        context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    return context


def read_again(context: ssl.SSLContext, ca_file: str) -> None:
    """Also trust certificates added to the file since. Removed ones stay trusted until the program ends."""
    with suppress(BadInput):
        context.load_verify_locations(cadata=read_certificates(ca_file))


_begun: ContextVar[deque[ssl.SSLObject]] = ContextVar("_begun")
"""Filled in place: anyio begins a handshake in a thread, which has only a copy of the context."""


def forget_presented() -> None:
    """What follows in this task is another request."""
    _begun.set(deque(maxlen=1))


def presented() -> dict[str, object]:
    """Return the certificate that the server showed in this task's last handshake, not verified: `names`, the first
    hosts that it is for; `issuer`, who signed it; `since` and `until`, UTC epoch seconds; `own`, where it vouches for
    itself. Empty where there is none.

    Python shows the certificate of a failed handshake by its inner object alone (as truststore reads it on Windows), so
    that one is asked with care.
    """
    try:
        inner: Any = getattr(_begun.get()[0], "_sslobj", None)
        chain = inner.get_unverified_chain()
        return _presented(cast("Mapping[str, Any]", chain[0].get_info()))
    except (AttributeError, LookupError, TypeError, ValueError, OSError):  # ssl.SSLError is an OSError
        return {}


def _presented(info: Mapping[str, Any]) -> dict[str, object]:
    names = [_shown(str(value)) for kind, value in info.get("subjectAltName", ()) if kind in ("DNS", "IP Address")]
    said = {
        "names": ", ".join(names[:3]),
        "issuer": _name(info.get("issuer", ())),
        "since": _seconds(info, "notBefore"),
        "until": _seconds(info, "notAfter"),
        "own": info.get("issuer") == info.get("subject"),
    }
    return {name: value for name, value in said.items() if value}


def _name(parts: tuple[tuple[tuple[str, str], ...], ...]) -> str:
    said = {kind: value for part in parts for kind, value in part}
    kinds = ("commonName", "organizationName", "organizationalUnitName")
    return _shown(next((said[kind] for kind in kinds if said.get(kind)), ""))


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:SHOWN])


def _seconds(info: Mapping[str, Any], name: str) -> float | None:
    return float(ssl.cert_time_to_seconds(str(info[name]))) if name in info else None
