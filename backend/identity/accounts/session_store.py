"""Django's sessions in the database, each under a hash of its key: the cookie's value is in no table and no backup.

A key has 165 random bits, so a plain hash is enough. Sessions are read in threads only, so the asynchronous variants of
these methods are not called.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

_LENGTH = 40
"""The width of Django's column."""


def stored_key(session_key: str | None) -> str:
    """The key under which a session is stored; blank for none."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:_LENGTH] if session_key else ""


class SessionStore(DatabaseStore):
    """Django's own store, except for the name of the row."""

    def _get_session_from_db(self) -> Any:
        row = self.model.objects.filter(
            session_key=stored_key(self.session_key), expire_date__gt=timezone.now()
        ).first()
        if row is None:
            self._session_key = None
        return row

    def exists(self, session_key: str) -> bool:
        """Whether a session with this key exists."""
        return super().exists(stored_key(session_key))

    def create_model_instance(self, data: Any) -> Any:
        """The row of this session."""
        row = super().create_model_instance(data)
        row.session_key = stored_key(row.session_key)
        return row

    def delete(self, session_key: str | None = None) -> None:
        """Remove this session, or that with the key."""
        key = session_key or self.session_key
        if key is not None:
            self.model.objects.filter(session_key=stored_key(key)).delete()
