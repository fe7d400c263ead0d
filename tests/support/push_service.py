"""A push service on this machine with one browser behind it, which decrypts what arrives as a browser does."""

from __future__ import annotations

import base64
import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.support.webhook_receiver import Call, Receiver, receiving

KEY = base64.urlsafe_b64encode(bytes(range(1, 33))).decode()
"""The console's private key in tests."""
SUBSCRIPTIONS = "/push/subscriptions"
CHOICE = {"incidents": True, "approvals": True, "failed_runs": True}


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class FakeBrowser:
    """A browser with its own key pair and secret."""

    receiver: Receiver
    private: ec.EllipticCurvePrivateKey
    auth: bytes

    @property
    def body(self) -> dict[str, Any]:
        """What the page sends to subscribe this browser to everything."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.receiver.url, "p256dh": _text(point), "auth": _text(self.auth), **CHOICE}

    def decrypted(self, call: Call) -> dict[str, Any]:
        """The message, as the browser reads it."""
        content = http_ece.decrypt(call.body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        parsed: dict[str, Any] = json.loads(content)
        return parsed

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All that arrived, oldest first."""
        return [self.decrypted(call) for call in self.receiver.calls]


def claims_of(call: Call) -> dict[str, Any]:
    """The signed claims of the sender; fails if the signature is not by the key that the header names."""
    header = call.headers["Authorization"]
    assert Vapid02.verify(header)
    token = header.removeprefix("vapid t=").partition(",")[0]
    body = token.split(".")[1]
    parsed: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return parsed


@contextlib.contextmanager
def browsing() -> Iterator[FakeBrowser]:
    """A browser behind a push service that listens until the block ends."""
    with receiving() as receiver:
        receiver.url = f"http://127.0.0.1:{receiver.port}/push/canary-Zx81-endpoint"
        yield FakeBrowser(receiver, ec.generate_private_key(ec.SECP256R1()), os.urandom(16))


@pytest.fixture
def browser(settings: Any) -> Iterator[FakeBrowser]:
    """A browser, and a console that may send to it."""
    settings.HAWSER_WEB_PUSH_KEY = KEY
    with browsing() as found:
        yield found
