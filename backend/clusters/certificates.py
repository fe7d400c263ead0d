"""Certificates as PEM text: what they say, and whether they can be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from django.utils import timezone

from backend.common.errors import ProblemError, invalid

_NONE = "This is not a PEM certificate. Paste the certificate of the authority (BEGIN CERTIFICATE)."
_PUBLIC = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


@dataclass(frozen=True, slots=True)
class Certificate:
    """One certificate; `fingerprint` is its SHA-256."""

    subject: str
    fingerprint: str
    begins_at: datetime
    ends_at: datetime
    pem: str = field(repr=False)


def certificates_of(pem: str) -> list[Certificate]:
    """The certificates of a text in their order; ValueError where it holds none, or one that cannot be read."""
    return [_certificate(one) for one in x509.load_pem_x509_certificates(pem.encode())]


def known_certificates(pem: str) -> list[Certificate]:
    """The same of a stored text, which may be older than this check: one that cannot be read tells nothing."""
    try:
        return certificates_of(pem) if pem else []
    except ValueError:
        return []


def check_authorities(pem: str, now: datetime | None = None) -> None:
    """Refuse a text that is no certificate, and authorities that have all ended: no server could be verified."""
    found = _parsed(pem, "tls.ca", _NONE)
    at = now or timezone.now()
    if all(one.ends_at <= at for one in found):
        ended = ", ".join(f"{one.subject} on {one.ends_at:%Y-%m-%d}" for one in found)
        raise invalid(
            "tls.ca",
            f"The certificate of the authority has ended ({ended}), so that no server can be verified with it.",
        )


def check_client(certificate: str, key: str, now: datetime | None = None) -> None:
    """Refuse a client certificate that is none, has ended or not begun, or belongs to another key."""
    check_client_certificate(certificate, now)
    if not key:
        raise invalid(
            "tls.private_key", "The client certificate needs its private key. Give the key, or a reference to it."
        )
    if _public_of(key) != x509.load_pem_x509_certificate(certificate.encode()).public_key().public_bytes(*_PUBLIC):
        raise invalid("tls.private_key", "This private key does not belong to the client certificate.")


def check_client_certificate(certificate: str, now: datetime | None = None) -> None:
    """The same without its key."""
    text = "This is not a PEM certificate. Paste the client certificate (BEGIN CERTIFICATE), then those that signed it."
    first = _parsed(certificate, "tls.cert", text)[0]
    at = now or timezone.now()
    if first.ends_at <= at:
        raise invalid("tls.cert", f"The client certificate {first.subject} has ended on {first.ends_at:%Y-%m-%d}.")
    if first.begins_at > at:
        raise invalid("tls.cert", f"The client certificate {first.subject} begins on {first.begins_at:%Y-%m-%d}.")


def _public_of(key: str) -> bytes:
    try:
        loaded = serialization.load_pem_private_key(key.encode(), None)
    except TypeError:
        raise _no_key("This private key has a passphrase. Give it without one: it is sealed here.") from None
    except ValueError:
        raise _no_key("This is not a private key as PEM text (BEGIN PRIVATE KEY).") from None
    return loaded.public_key().public_bytes(*_PUBLIC)


def _no_key(sentence: str) -> ProblemError:
    return invalid("tls.private_key", sentence)


def _parsed(pem: str, where: str, sentence: str) -> Sequence[Certificate]:
    try:
        return certificates_of(pem)
    except ValueError:
        raise invalid(where, sentence) from None


def _certificate(one: x509.Certificate) -> Certificate:
    return Certificate(
        one.subject.rfc4514_string() or "without a name",
        one.fingerprint(hashes.SHA256()).hex(),
        one.not_valid_before_utc,
        one.not_valid_after_utc,
        one.public_bytes(serialization.Encoding.PEM).decode(),
    )


def shown(one: Certificate) -> Mapping[str, Any]:
    """A certificate in answers."""
    return {"subject": one.subject, "fingerprint": one.fingerprint, "ends_at": one.ends_at}
