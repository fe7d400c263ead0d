"""An authenticator in software: it makes a passkey and uses it, as a browser would send it (WebAuthn)."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

PRESENT, VERIFIED, HAS_DATA = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """`counter` is 0 where it has none; without `verifies` its user is present but not verified."""

    origin: str = "http://testserver"
    counter: int = 1
    verifies: bool = True
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """A new passkey for these options."""
        public = ES256.from_cryptography_key(self.key.public_key())
        data = AttestedCredentialData.create(b"\0" * 16, self.credential_id, public)
        auth = AuthenticatorData.create(_digest(options["rp"]["id"]), self._flags | HAS_DATA, self.counter, data)
        attestation = AttestationObject.create("none", auth, {})
        client = self._client_data("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": client, "attestationObject": bytes(attestation)})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """Use the passkey; the counter rises first, if there is one."""
        self.counter += 1 if self.counter else 0
        auth = AuthenticatorData.create(_digest(options["rpId"]), self._flags, self.counter)
        client = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(auth + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer({"clientDataJSON": client, "authenticatorData": bytes(auth), "signature": signature})

    @property
    def _flags(self) -> int:
        return PRESENT | (VERIFIED if self.verifies else 0)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        data = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(data).encode()

    def _answer(self, response: dict[str, bytes]) -> dict[str, Any]:
        name = websafe_encode(self.credential_id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": {key: websafe_encode(value) for key, value in response.items()},
            "clientExtensionResults": {},
        }


def _digest(rp_id: str) -> bytes:
    return hashlib.sha256(rp_id.encode()).digest()
