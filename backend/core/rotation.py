"""What a rotation of passwords knows of accounts, and the port through which a run uses the passwords themselves.

No password and no hash is here: the console's side of the port reads, stores and tries them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

ROLES = ("monitor", "operator", "replication")


@dataclass(frozen=True, slots=True)
class RotatedAccount:
    """An account as a node matched its login; `fault` says why its password cannot be changed by a plan.

    `cluster_ids`: the clusters whose stored account it is, more than one where a channel carries it to the other side.
    """

    role: str
    user: str
    host: str
    cluster_ids: tuple[str, ...]
    fault: str = ""
    remedy: str = ""


class Passwords(Protocol):
    """The old and the new password of each account during a run; every call may be repeated."""

    def prepare(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Make a new password and store it sealed, once a run."""
        ...

    def use_new(self, role: str, cluster_ids: Sequence[str]) -> None:
        """The console connects with the new password from now on."""
        ...

    def use_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        """The console connects with the old password again."""
        ...

    def forget_old(self, role: str, cluster_ids: Sequence[str]) -> None:
        """The old password is removed from the console."""
        ...

    def logins(self, role: str, node_ids: Sequence[str], *, is_new: bool) -> Mapping[str, bool | None]:
        """By node, whether the old or the new password logs in; None where the node does not answer."""
        ...


class NoPasswords:
    """The passwords of a plan that changes none."""

    def prepare(self, role: str, cluster_ids: Sequence[str]) -> None:
        """Never called."""
        raise LookupError("passwords are changed only by plans that rotate them")

    use_new = use_old = forget_old = prepare

    def logins(self, role: str, node_ids: Sequence[str], *, is_new: bool) -> Mapping[str, bool | None]:
        """Never called."""
        raise LookupError("passwords are tried only by plans that rotate them")
