"""Statements that change a password while the old one stays valid. Only hashes are in them, filled in when sent.

Observed on 10.11.19: an account may have the same plugin twice, each with a hash of its own, and a login with either
password succeeds. ALTER USER is in the binary log as it was sent, so with the hashes. `IF EXISTS`: it is replicated to
clusters that may not have the account, where it must not stop the channel.
"""

from __future__ import annotations

from backend.core.dialects import quoting

_PLUGIN = "mysql_native_password USING"


def both_passwords(user: str, host: str, role: str) -> str:
    """The new password and the old one log in."""
    return f"{_begin(user, host)} {_PLUGIN} {_hash(role, 'new')} OR {_PLUGIN} {_hash(role, 'old')}"


def only_password(user: str, host: str, role: str, which: str) -> str:
    """Only the `new` or the `old` one logs in."""
    return f"{_begin(user, host)} {_PLUGIN} {_hash(role, which)}"


def channel_password(name: str) -> str:
    """A channel logs in with the new password from now on; it goes on where it was applied.

    CHANGE MASTER without a source or position resumes at the applied position (observed on 10.11.19). In one
    statement, so that nothing that ends between its parts leaves a stopped channel behind.
    """
    channel = quoting.channel(name)
    return (
        "BEGIN NOT ATOMIC\n"
        f"  STOP SLAVE{channel};\n"
        f"  CHANGE MASTER{channel} TO MASTER_PASSWORD={quoting.secret_placeholder('{{secret:replication_new}}')};\n"
        f"  START SLAVE{channel};\n"
        "END"
    )


def _begin(user: str, host: str) -> str:
    return f"ALTER USER IF EXISTS {quoting.plain(user, 'user')}@{quoting.plain(host, 'host')} IDENTIFIED VIA"


def _hash(role: str, which: str) -> str:
    return quoting.secret_placeholder(f"{{{{secret:{role}_{which}}}}}")
