"""Google Secret Manager, as a service account that signs its request for a token (RFC 7523)."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.conf import settings

from backend.clusters.secret_stores.cloud import Token, ask, check_allowed, field_of, token_of
from backend.clusters.secret_stores.model import ReferenceRefusedError, Secret, StoreError, WithoutLeases

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_LASTS_S = 600


class GoogleStore(WithoutLeases):
    """`gcp-sm:PROJECT/SECRET` or `gcp-sm:PROJECT/SECRET#FIELD`."""

    def __init__(self) -> None:
        self.token = Token(_new_token)

    def check(self, name: str) -> None:
        """Refuse a name that is not allowed."""
        check_allowed("gcp-sm", name, settings.HAWSER_GCP_KEY_PATH, "gcp-sm:my-project/hawser-milan")
        if name.partition("#")[0].count("/") != 1:
            raise ReferenceRefusedError("Give project and secret, such as gcp-sm:my-project/hawser-milan.")

    def read(self, name: str) -> Secret:
        """The latest version."""
        whole, _, part = name.partition("#")
        project, _, secret = whole.partition("/")
        path = f"/v1/projects/{project}/secrets/{secret}/versions/latest:access"
        headers = {"Authorization": f"Bearer {self.token.value()}"}
        answer = ask("Secret Manager", settings.HAWSER_GCP_URL, "GET", path, headers=headers)
        try:
            text = base64.b64decode((answer.get("payload") or {})["data"], validate=True).decode()
        except (KeyError, ValueError, TypeError):
            raise StoreError(f"gcp-sm:{whole} holds no text.") from None
        return field_of(text, part, f"gcp-sm:{name}")


def _new_token() -> tuple[str, float]:
    account = _account()
    where = urlsplit(account["token_uri"])
    data = urlencode({"grant_type": _GRANT, "assertion": assertion(account, int(time.time()))}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    base = f"https://{where.netloc}"
    return token_of(ask("Google", base, "POST", where.path, headers=headers, data=data), "Google")


def assertion(account: dict[str, Any], now_s: int) -> str:
    """What the service account states, signed with its key (RS256)."""
    claims = {"iss": account["client_email"], "scope": _SCOPE, "aud": account["token_uri"]}
    claims |= {"iat": now_s, "exp": now_s + _LASTS_S}
    head = {"alg": "RS256", "typ": "JWT", "kid": account.get("private_key_id", "")}
    text = f"{_encoded(json.dumps(head).encode())}.{_encoded(json.dumps(claims).encode())}"
    key = serialization.load_pem_private_key(account["private_key"].encode(), None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise StoreError("The key of the service account is no RSA key.")
    return f"{text}.{_encoded(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def _account() -> dict[str, Any]:
    path = settings.HAWSER_GCP_KEY_PATH
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        if str(found["token_uri"]).startswith("https://") and found["client_email"] and found["private_key"]:
            return dict(found)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise StoreError(f"The file {path} (HAWSER_GCP_KEY_PATH) is no key of a service account.")


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
