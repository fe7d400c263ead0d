"""The private key with which the console proves itself to servers: sealed here, or in a store by reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.clusters.certificates import check_authorities, check_client, check_client_certificate
from backend.clusters.models import Cluster
from backend.clusters.references import SecretUnavailableError, checked_reference
from backend.clusters.secret_stores import cache
from backend.clusters.secret_stores.model import StoreError
from backend.clusters.verification import check_mode
from backend.common.errors import invalid
from backend.common.sealing import SealError, seal, unseal
from backend.gateway.connection.endpoint import Tls, TlsMode

ROLE = "client key"
"""The purpose under which the key is sealed for a cluster's id; nothing else can open it."""
CLIENT_KEY = "client_key"
"""The same of a guided registration, beside the roles of its accounts."""


@dataclass(frozen=True, slots=True)
class WantedTls:
    """How to connect, and where the key is if it is not sealed here."""

    tls: Tls
    key_reference: str | None = None

    def fields(self, cluster_id: str) -> dict[str, Any]:
        """The columns of a cluster."""
        is_sealed = bool(self.tls.key_pem) and not self.key_reference
        return {
            "tls_mode": self.tls.mode.value,
            "tls_ca": self.tls.ca_pem,
            "tls_cert": self.tls.cert_pem,
            "tls_key_sealed": seal(self.tls.key_pem, cluster_id=cluster_id, role=ROLE) if is_sealed else "",
            "tls_key_reference": self.key_reference,
        }


def stored_tls(cluster: Cluster) -> Tls:
    """How to connect to the cluster's nodes. Raises SealError."""
    key = _stored_key(cluster) if cluster.tls_cert else ""
    return Tls(TlsMode(cluster.tls_mode), cluster.tls_ca, cluster.tls_cert, key)


def wanted_tls(given: Mapping[str, Any], stored: Cluster | None = None) -> WantedTls:
    """What was given over what is stored, checked; a blank certificate removes it with its key."""
    mode = given["mode"]
    check_mode(mode)
    ca = given.get("ca", stored.tls_ca if stored else "")
    _check_ca(mode, ca)
    certificate = given.get("cert", stored.tls_cert if stored else "").strip()
    if not certificate:
        _check_no_key(given)
        return WantedTls(Tls(TlsMode(mode), ca))
    _check_encrypted(mode)
    key, reference = _key(given, stored)
    check_client(certificate, key)
    return WantedTls(Tls(TlsMode(mode), ca, certificate, key), reference)


def check_tls(given: Mapping[str, Any]) -> None:
    """Refuse what cannot be registered; a key that stays in a store is not read before it is."""
    if not given.get("key_reference"):
        wanted_tls(given)
        return
    wanted_tls({"mode": given["mode"], "ca": given["ca"]})
    _check_encrypted(given["mode"])
    check_client_certificate(given["cert"])
    checked_reference(given["key_reference"], "tls.key_reference")


def is_sealed_key_readable(cluster: Cluster) -> bool:
    """Whether the key that is sealed for the cluster can be opened."""
    try:
        return bool(unseal(cluster.tls_key_sealed, cluster_id=cluster.pk, role=ROLE))
    except SealError:
        return False


def _check_encrypted(mode: str) -> None:
    if mode == TlsMode.DISABLED.value:
        raise invalid("tls.mode", "A client certificate needs TLS. Choose a mode that encrypts, or remove it.")


def _check_ca(mode: str, ca: str) -> None:
    if ca:
        check_authorities(ca)
    if mode.startswith("verify") and not ca:
        raise invalid("tls.ca", f"The mode {mode} needs the certificate of the authority.")


def _check_no_key(given: Mapping[str, Any]) -> None:
    if given.get("private_key") or given.get("key_reference"):
        raise invalid("tls.cert", "A private key was given without its certificate. Give the client certificate, too.")


def _key(given: Mapping[str, Any], stored: Cluster | None) -> tuple[str, str | None]:
    """The key that was given, or the stored one."""
    reference = given.get("key_reference")
    if reference:
        return read_key(reference, stored.environment if stored else None), str(reference)
    if given.get("private_key"):
        return str(given["private_key"]).strip() + "\n", None
    if stored is None or not stored.tls_cert:
        return "", None
    return _stored_key(stored), stored.tls_key_reference


def read_key(reference: str, environment: str | None = None) -> str:
    """The key of a reference that is allowed, in this environment where the cluster is registered; read now."""
    checked_reference(reference, "tls.key_reference", environment)
    try:
        return cache.read_key(reference, rereads=True)
    except StoreError as error:
        message = f"{error} Nothing was stored. Correct the reference, or make the store reachable."
        raise invalid("tls.key_reference", message, code="secret_unavailable", status=409) from None


def _stored_key(cluster: Cluster) -> str:
    if cluster.tls_key_reference:
        try:
            return cache.read_key(cluster.tls_key_reference)
        except StoreError as error:
            raise SecretUnavailableError(str(error)) from None
    return unseal(cluster.tls_key_sealed, cluster_id=cluster.pk, role=ROLE)
