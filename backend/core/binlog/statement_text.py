"""Statements as they are compared and shown: those about accounts without passwords and their hashes."""

from __future__ import annotations

import re

_ACCOUNTS = re.compile(
    r"\s*(?:use `[^`]*`;\s*)?(?:/\*.*?\*/\s*)?"
    r"(?:GRANT|REVOKE|SET\s+PASSWORD|(?:CREATE|ALTER)(?:\s+OR\s+REPLACE)?\s+(?:USER|ROLE|SERVER)|CHANGE\s+MASTER)\b",
    re.IGNORECASE | re.DOTALL,
)
_SECRET = re.compile(r"\b(?:IDENTIFIED|PASSWORD)\b", re.IGNORECASE)
_LITERAL = re.compile(r"'(?:[^'\\]|\\.|'')*'?|\"(?:[^\"\\]|\\.|\"\")*\"?", re.DOTALL)


def without_secrets(statement: str) -> str:
    """In a statement about accounts every quoted text after the first password word is masked."""
    if not _ACCOUNTS.match(statement):
        return statement
    secret = _SECRET.search(statement)
    if secret is None:
        return statement
    return statement[: secret.end()] + _LITERAL.sub("'***'", statement[secret.end() :])
