"""Accounts of the lab and their random passwords, kept in one file that only its owner can read."""

from __future__ import annotations

import json
import os
import secrets as random_source
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Account:
    """A database account; `user` exists on every node of both clusters."""

    user: str
    password: str


ROLES = {
    "admin": "lab_admin",
    "monitor": "hawser_monitor",
    "operator": "hawser_operator",
    "replication": "hawser_repl",
    "app": "app",
}


def create() -> dict[str, Account]:
    """Fresh passwords, 30 characters of letters and digits (a replication password may not pass 96 bytes)."""
    return {role: Account(user, random_source.token_hex(15)) for role, user in ROLES.items()}


def save(path: Path, accounts: dict[str, Account]) -> None:
    """Write the accounts, mode 0600 from the first byte."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({role: asdict(account) for role, account in accounts.items()}, file, indent=1)


def load(path: Path) -> dict[str, Account]:
    """Role -> account, as saved."""
    return {role: Account(**fields) for role, fields in json.loads(path.read_text()).items()}
