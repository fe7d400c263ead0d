"""Sends the statements that create the console's accounts, each of which a person has confirmed."""

from __future__ import annotations

from collections.abc import Callable

from backend.gateway.account_statements import is_account_statement
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session


def apply_account_statement(session: Session, sql: str, fill: Callable[[str], str], timeout_s: float) -> None:
    """Send one statement, its mark replaced by `fill` at the last moment; raises NodeError."""
    if not is_account_statement(sql):
        raise NotAllowedError(
            session.name, "only the accounts of Hawser may be created, with what they need; nothing was sent"
        )
    session.run(fill(sql), timeout_s=timeout_s)
