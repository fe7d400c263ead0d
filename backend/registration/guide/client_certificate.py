"""The client certificate of a cluster that is not registered yet; its key is sealed for the draft, or in a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backend.clusters.certificates import check_client, known_certificates, shown
from backend.clusters.client_key import CLIENT_KEY, read_key
from backend.common.errors import invalid
from backend.common.sealing import seal, unseal
from backend.gateway.connection.endpoint import Tls
from backend.registration.guide.content import SideDraft
from backend.registration.models import DraftCredential, RegistrationDraft

Given = Mapping[str, Any]


def change_client(draft: RegistrationDraft, side: str, content: SideDraft, given: Given) -> None:
    """Store the certificate with its key, both checked; a blank one removes both. One without the other is refused."""
    if given.get("cert", "").strip():
        _store(draft, side, content, given)
    elif given.get("private_key") or given.get("key_reference"):
        raise invalid("tls.cert", "A private key was given without its certificate. Give the client certificate, too.")
    elif "cert" in given:
        content.tls_cert = ""
        draft.credentials.filter(side=side, role=CLIENT_KEY).delete()


def _store(draft: RegistrationDraft, side: str, content: SideDraft, given: Given) -> None:
    certificate, reference = given["cert"].strip(), given.get("key_reference") or None
    key = read_key(reference) if reference else given.get("private_key", "").strip()
    check_client(certificate, key)
    sealed = "" if reference else seal(f"{key}\n", cluster_id=f"{draft.pk}.{side}", role=CLIENT_KEY)
    defaults = {"user": "", "sealed": sealed, "reference": reference}
    draft.credentials.update_or_create(side=side, role=CLIENT_KEY, defaults=defaults)
    content.tls_cert = certificate


def client_of(draft: RegistrationDraft, side: str, content: SideDraft) -> Tls:
    """What is shown to servers; without a certificate nothing. Raises SealError."""
    row = _row(draft, side) if content.tls_cert else None
    return Tls() if row is None else Tls(cert_pem=content.tls_cert, key_pem=_key(row))


def client_fields(draft: RegistrationDraft, side: str, content: SideDraft) -> dict[str, str]:
    """The certificate as a registration takes it: with its key, or where that stays."""
    row = _row(draft, side) if content.tls_cert else None
    if row is None:
        return {}
    key = {"key_reference": row.reference} if row.reference else {"private_key": _key(row)}
    return {"cert": content.tls_cert, **key}


def reference_of(draft: RegistrationDraft, side: str) -> str | None:
    """Where the key stays; None where it is sealed here, or there is none."""
    row = _row(draft, side)
    return None if row is None else row.reference


def certificates_view(content: SideDraft) -> list[dict[str, Any]]:
    """The trusted authorities and the client certificate, with their ends; a certificate is no secret."""
    authorities = [("authority", one) for one in known_certificates(content.tls_ca)]
    client = [("client", one) for one in known_certificates(content.tls_cert)[:1]]
    return [{"kind": kind, **shown(one)} for kind, one in (*authorities, *client)]


def _row(draft: RegistrationDraft, side: str) -> DraftCredential | None:
    return draft.credentials.filter(side=side, role=CLIENT_KEY).first()


def _key(row: DraftCredential) -> str:
    if row.reference:
        return read_key(row.reference)
    return unseal(row.sealed, cluster_id=f"{row.draft_id}.{row.side}", role=CLIENT_KEY)
