"""Certificates of the tests, made in memory: an authority, and what it signs."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Made:
    """A certificate with its key, both as PEM text."""

    cert: str
    key: str
    certificate: x509.Certificate
    private: ec.EllipticCurvePrivateKey

    def signs(
        self, name: str, *, addresses: tuple[str, ...] = (), begins: timedelta = -DAY, ends: timedelta = 90 * DAY
    ) -> Made:
        """A certificate of this authority, for these addresses."""
        return _made(name, self, addresses, begins, ends)


def authority(name: str = "Test CA", *, begins: timedelta = -DAY, ends: timedelta = 90 * DAY) -> Made:
    """An authority that signs itself."""
    return _made(name, None, (), begins, ends)


def _made(name: str, by: Made | None, addresses: tuple[str, ...], begins: timedelta, ends: timedelta) -> Made:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = x509.CertificateBuilder(
        issuer_name=by.certificate.subject if by else subject,
        subject_name=subject,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now + begins,
        not_valid_after=now + ends,
    ).add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
    if addresses:
        names = [x509.IPAddress(ipaddress.ip_address(one)) for one in addresses]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    made = builder.sign(by.private if by else key, hashes.SHA256())
    pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key_pem = key.private_bytes(pem, private, serialization.NoEncryption()).decode()
    return Made(made.public_bytes(pem).decode(), key_pem, made, key)
