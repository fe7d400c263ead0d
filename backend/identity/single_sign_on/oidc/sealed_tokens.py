"""ID token and refresh token of a session, sealed like a password: with them one could act for the user."""

from __future__ import annotations

import json
from typing import Any

from backend.common.sealing import SealError, seal, unseal
from backend.identity.accounts.identities.models import ProviderSession

_ROLE = "provider tokens"


def seal_tokens(id_token: str, refresh_token: Any, *, sign_in_id: str) -> str:
    """Both, readable only with the console's key and only for this session."""
    content = {"id_token": id_token, "refresh_token": refresh_token if isinstance(refresh_token, str) else ""}
    return seal(json.dumps(content), cluster_id=sign_in_id, role=_ROLE)


def open_tokens(session: ProviderSession) -> dict[str, str]:
    """Both; empty if there are none or they cannot be opened."""
    try:
        content = json.loads(unseal(session.sealed_tokens, cluster_id=session.sign_in_id, role=_ROLE))
    except SealError:
        return {"id_token": "", "refresh_token": ""}
    return {name: str(text) for name, text in content.items()}
