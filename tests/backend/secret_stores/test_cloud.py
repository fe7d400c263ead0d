"""Secrets of AWS, Google and Azure against a stand-in over TLS that checks signatures and tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from backend.clusters.secret_stores import cache, registry
from backend.clusters.secret_stores.aws import AwsKeys, signed_headers
from backend.clusters.secret_stores.model import ReferenceRefusedError, StoreError
from tests.support.certificates import authority
from tests.support.cloud_server import ACCESS, REGION, SECRET, Cloud, cloud_server

REFERENCES = {"aws-sm:hawser/milan": "hawser/milan", "gcp-sm:p1/milan": "milan", "azure-kv:milan": "milan"}
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with cloud_server(tmp_path_factory.mktemp("cloud")) as running:
        yield running


@pytest.fixture
def cloud(server: Cloud, tmp_path: Path, settings: Any) -> Cloud:
    """Three providers of which all secrets that begin so may be read."""
    pem = KEY.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    account = {"client_email": "hawser@p1", "private_key": pem, "token_uri": f"{server.url}/token"}
    (tmp_path / "google.json").write_text(json.dumps(account))
    (tmp_path / "azure").write_text("secret-of-azure\n")
    _aws(tmp_path, SECRET)
    settings.HAWSER_CLOUD_PATHS = ["aws-sm:hawser/*", "gcp-sm:p1/milan", "azure-kv:*"]
    settings.HAWSER_CLOUD_CA_PATH, settings.HAWSER_AWS_REGION = server.ca_file, REGION
    settings.HAWSER_AWS_CREDENTIALS_PATH = str(tmp_path / "aws")
    settings.HAWSER_GCP_KEY_PATH = str(tmp_path / "google.json")
    settings.HAWSER_AZURE_TENANT, settings.HAWSER_AZURE_CLIENT_ID = "tenant-1", "app-1"
    settings.HAWSER_AZURE_CLIENT_SECRET_PATH = str(tmp_path / "azure")
    for name in ("AWS", "GCP", "AZURE_VAULT", "AZURE_LOGIN"):
        setattr(settings, f"HAWSER_{name}_URL", server.url)
    server.secrets, server.google_key = {}, KEY.public_key()
    server.refused, server.logins = [], 0
    registry.forget_logins()
    return server


def _aws(folder: Path, secret: str) -> None:
    (folder / "aws").write_text(f"[default]\naws_access_key_id = {ACCESS}\naws_secret_access_key = {secret}\n")


@pytest.mark.parametrize("reference", REFERENCES)
def test_secret__as_text_and_as_a_field__read(cloud: Cloud, reference: str) -> None:
    cloud.secrets[REFERENCES[reference]] = "of-the-cloud"
    assert cache.read(reference).password == "of-the-cloud"
    cloud.secrets[REFERENCES[reference]] = json.dumps({"monitor": "a-field"})
    assert cache.read(f"{reference}#monitor").password == "a-field"
    with pytest.raises(StoreError, match="has no field operator"):
        cache.read(f"{reference}#operator")
    assert cloud.refused == []
    assert cloud.logins <= 1


@pytest.mark.parametrize("reference", REFERENCES)
def test_secret__missing_or_login_refused_or_another_server__no_value_and_none_quoted(
    cloud: Cloud, reference: str, tmp_path: Path, settings: Any
) -> None:
    with pytest.raises(StoreError, match="answered 40"):
        cache.read(reference)
    cache.forget()
    registry.forget_logins()
    cloud.secrets[REFERENCES[reference]] = "canary"
    _aws(tmp_path, "wrong")
    (tmp_path / "azure").write_text("wrong")
    cloud.google_key = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    with pytest.raises(StoreError) as refused:
        cache.read(reference)
    assert len(cloud.refused) == 1
    assert "canary" not in str(refused.value)
    cache.forget()
    (tmp_path / "other.pem").write_text(authority("Another CA").cert)
    settings.HAWSER_CLOUD_CA_PATH = str(tmp_path / "other.pem")
    with pytest.raises(StoreError, match="SSLCertVerificationError"):
        cache.read(reference)


@pytest.mark.parametrize(
    "reference",
    [
        "aws-sm:other",
        "aws-sm:hawser/../x",
        "gcp-sm:p1/milan2",
        "gcp-sm:p2/milan",
        "azure-kv:a/b",
        "azure-kv:a?b",
        "aws-sm:",
    ],
)
def test_reference__that_is_not_allowed__refused_and_nothing_is_called(cloud: Cloud, reference: str) -> None:
    with pytest.raises(ReferenceRefusedError):
        registry.check_reference(reference)


def test_store__that_is_not_set_up__refuses_every_name(settings: Any) -> None:
    settings.HAWSER_CLOUD_PATHS = ["aws-sm:*", "gcp-sm:*", "azure-kv:*"]
    for reference in REFERENCES:
        with pytest.raises(ReferenceRefusedError, match="is not set up"):
            registry.check_reference(reference)


def test_aws__signature__is_that_of_botocore() -> None:
    """Of the same call at the same time by botocore 1.44.8 (November 2026), with and without a session token."""
    now, body = datetime(2026, 11, 27, 15, tzinfo=UTC), b'{"SecretId": "hawser/milan"}'
    base = "https://secretsmanager.eu-south-1.amazonaws.com"
    for session, signature in (
        ("", "a865fbb4c9762523ca19ade17f0e6df0695163c718a458e4173e1c7043875777"),
        ("session-token+/=", "6b38d6b1aa9dea6bfc6a03593501f4ac49746917e424823064bd7b6da827a1e8"),
    ):
        headers = signed_headers(base, body, REGION, AwsKeys(ACCESS, SECRET, session), now)
        assert headers["authorization"].endswith(f"Signature={signature}")


@pytest.mark.parametrize("content", ["", "[default]\n", "[other]\naws_access_key_id=a\n"])
def test_aws__credentials_file_without_a_key__said(cloud: Cloud, tmp_path: Path, content: str) -> None:
    (tmp_path / "aws").write_text(content)
    with pytest.raises(StoreError, match="has no access key"):
        cache.read("aws-sm:hawser/milan")


def test_google__key_file_that_sends_its_assertion_in_clear__refused(cloud: Cloud, tmp_path: Path) -> None:
    account = json.loads((tmp_path / "google.json").read_text()) | {"token_uri": "http://127.0.0.1/token"}
    (tmp_path / "google.json").write_text(json.dumps(account))
    with pytest.raises(StoreError, match="no key of a service account"):
        cache.read("gcp-sm:p1/milan")


def test_file__secret_of_kubernetes_replaced_by_its_link__new_value_read(folder: Path) -> None:
    """The kubelet writes a new folder, and moves the link `..data` over the old one."""
    for name, value in (("..1", "old"), ("..2", "new")):
        (folder / name).mkdir()
        (folder / name / "monitor").write_text(value)
    (folder / "..data").symlink_to("..1")
    (folder / "monitor").symlink_to("..data/monitor")
    reference = f"file:{folder}/monitor"
    assert cache.read(reference).password == "old"
    (folder / "..tmp").symlink_to("..2")
    (folder / "..tmp").rename(folder / "..data")
    cache.forget()
    assert cache.read(reference).password == "new"
