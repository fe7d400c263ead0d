"""AWS Secrets Manager, by one call that is signed with Signature Version 4."""

from __future__ import annotations

import configparser
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings

from backend.clusters.secret_stores.cloud import ask, check_allowed, field_of
from backend.clusters.secret_stores.model import Secret, StoreError, WithoutLeases

_SERVICE = "secretsmanager"
_TARGET = "secretsmanager.GetSecretValue"


@dataclass(frozen=True, slots=True)
class AwsKeys:
    """An access key, as the `default` profile of a credentials file has it; read at each call."""

    access: str
    secret: str = field(repr=False)
    session: str = field(default="", repr=False)


class AwsStore(WithoutLeases):
    """`aws-sm:NAME` or `aws-sm:NAME#FIELD`."""

    def check(self, name: str) -> None:
        """Refuse a name that is not allowed."""
        check_allowed("aws-sm", name, settings.HAWSER_AWS_REGION, "aws-sm:hawser/milan#monitor")

    def read(self, name: str) -> Secret:
        """The current version."""
        secret_id, _, part = name.partition("#")
        region = settings.HAWSER_AWS_REGION
        base = settings.HAWSER_AWS_URL or f"https://{_SERVICE}.{region}.amazonaws.com"
        body = json.dumps({"SecretId": secret_id}).encode()
        headers = signed_headers(base, body, region, _keys(), datetime.now(UTC))
        found = ask("Secrets Manager", base, "POST", "/", headers=headers, data=body).get("SecretString")
        if not isinstance(found, str):
            raise StoreError(f"aws-sm:{secret_id} holds no text.")
        return field_of(found, part, f"aws-sm:{name}")


def signed_headers(base: str, body: bytes, region: str, keys: AwsKeys, now: datetime) -> Mapping[str, str]:
    """The headers of the call, with its signature."""
    at = f"{now:%Y%m%dT%H%M%SZ}"
    headers = {"content-type": "application/x-amz-json-1.1", "host": urlsplit(base).netloc, "x-amz-date": at}
    headers |= {"x-amz-security-token": keys.session} if keys.session else {}
    headers["x-amz-target"] = _TARGET
    names = ";".join(sorted(headers))
    listed = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    request = f"POST\n/\n\n{listed}\n{names}\n{hashlib.sha256(body).hexdigest()}"
    scope = f"{at[:8]}/{region}/{_SERVICE}/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    key = f"AWS4{keys.secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    proof = f"Credential={keys.access}/{scope}, SignedHeaders={names}, Signature={signature}"
    return headers | {"authorization": f"AWS4-HMAC-SHA256 {proof}"}


def _keys() -> AwsKeys:
    path = settings.HAWSER_AWS_CREDENTIALS_PATH
    profiles = configparser.ConfigParser(interpolation=None)
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - an empty path is told like a missing file
            profiles.read_file(file)
        found = profiles["default"]
        return AwsKeys(
            found["aws_access_key_id"], found["aws_secret_access_key"], found.get("aws_session_token", fallback="")
        )
    except (OSError, KeyError, UnicodeDecodeError, configparser.Error):
        raise StoreError(f"The file {path} (HAWSER_AWS_CREDENTIALS_PATH) has no access key of `default`.") from None
