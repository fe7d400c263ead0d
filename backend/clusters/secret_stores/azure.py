"""Azure Key Vault, as an application that logs in by its client secret (OAuth 2.0 client credentials)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode, urlsplit

from django.conf import settings

from backend.clusters.secret_stores.cloud import Token, ask, check_allowed, field_of, token_of
from backend.clusters.secret_stores.model import ReferenceRefusedError, Secret, StoreError, WithoutLeases, one_line

_VERSION = "7.4"


class AzureStore(WithoutLeases):
    """`azure-kv:SECRET` or `azure-kv:SECRET#FIELD`, in the vault of HAWSER_AZURE_VAULT_URL."""

    def __init__(self) -> None:
        self.token = Token(_new_token)

    def check(self, name: str) -> None:
        """Refuse a name that is not allowed."""
        check_allowed("azure-kv", name, settings.HAWSER_AZURE_VAULT_URL, "azure-kv:hawser-milan")
        if "/" in name:
            raise ReferenceRefusedError("Give the name of the secret, such as azure-kv:hawser-milan.")

    def read(self, name: str) -> Secret:
        """The current version."""
        secret, _, part = name.partition("#")
        headers = {"Authorization": f"Bearer {self.token.value()}"}
        path = f"/secrets/{secret}?api-version={_VERSION}"
        found = ask("Key Vault", settings.HAWSER_AZURE_VAULT_URL, "GET", path, headers=headers).get("value")
        if not isinstance(found, str):
            raise StoreError(f"azure-kv:{secret} holds no text.")
        return field_of(found, part, f"azure-kv:{name}")


def _new_token() -> tuple[str, float]:
    given = {
        "grant_type": "client_credentials",
        "client_id": settings.HAWSER_AZURE_CLIENT_ID,
        "client_secret": _client_secret(),
        "scope": f"{_audience()}/.default",
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    path = f"/{settings.HAWSER_AZURE_TENANT}/oauth2/v2.0/token"
    base, data = settings.HAWSER_AZURE_LOGIN_URL, urlencode(given).encode()
    return token_of(ask("The login of Azure", base, "POST", path, headers=headers, data=data), "Azure")


def _audience() -> str:
    """Of the vault `https://NAME.vault.azure.net`: the same without its name, also in clouds of their own."""
    return "https://" + (urlsplit(settings.HAWSER_AZURE_VAULT_URL).hostname or "").partition(".")[2]


def _client_secret() -> str:
    path = settings.HAWSER_AZURE_CLIENT_SECRET_PATH
    try:
        return one_line(Path(path).read_bytes(), f"The file {path} (HAWSER_AZURE_CLIENT_SECRET_PATH)")
    except OSError as error:
        raise StoreError(
            f"The file {path} (HAWSER_AZURE_CLIENT_SECRET_PATH) cannot be read: {error.strerror}."
        ) from None
