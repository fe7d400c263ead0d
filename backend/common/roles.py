"""Roles and their permissions: one table, shown by the page and checked on every call."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """The role of a user; each role includes the ones before it."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Position in the order of roles."""
        return list(Role).index(self)


class Permission(StrEnum):
    """A permission that a role can include."""

    READ = "read"
    SESSION = "session"
    TOKENS = "tokens"
    LOOKUP = "lookup"
    PLAN = "plan"
    RUN = "run"
    LAB = "lab"
    APPROVE = "approve"
    OVERRIDE_CALENDAR = "override_calendar"
    CLUSTERS = "clusters"
    LINKS = "links"
    USERS = "users"


_VIEWER = frozenset({Permission.READ, Permission.SESSION, Permission.TOKENS})
_OPERATOR = _VIEWER | {Permission.LOOKUP, Permission.PLAN, Permission.RUN, Permission.LAB}
_APPROVER = _OPERATOR | {Permission.APPROVE, Permission.OVERRIDE_CALENDAR}
_ADMIN = _APPROVER | {Permission.CLUSTERS, Permission.LINKS, Permission.USERS}

PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    Role.VIEWER: _VIEWER,
    Role.OPERATOR: _OPERATOR,
    Role.APPROVER: _APPROVER,
    Role.ADMIN: _ADMIN,
}

DESCRIPTIONS: Mapping[Permission, str] = {
    Permission.READ: "Read links, clusters, plans, runs, rehearsals and the audit log",
    Permission.SESSION: "Sign in, change the own password and preferences, end own sessions",
    Permission.TOKENS: "Create and revoke own tokens, with at most the own role",
    Permission.LOOKUP: "Look up transactions, row versions and orphaned transactions in the binary logs",
    Permission.PLAN: "Make plans, rehearse operations and measure the network of a link",
    Permission.RUN: "Start, abort and resume runs, maintenance, confirm a replaced server, dismiss advice",
    Permission.LAB: "Stop nodes and sites of the demo lab",
    Permission.APPROVE: "Approve runs of other users and review runs without approval",
    Permission.OVERRIDE_CALENDAR: "Start planned operations in spite of the change calendar, with a reason",
    Permission.CLUSTERS: "Register, change and retire clusters and nodes",
    Permission.LINKS: "Register, change and retire links, their webhooks, destinations, automation and change calendar",
    Permission.USERS: "Manage users, their sessions and tokens, and confirm or reject protected changes",
}


def may(role: Role | str, permission: Permission) -> bool:
    """Whether the role includes the permission."""
    return permission in PERMISSIONS[Role(role)]


def lesser(one: Role | str, other: Role | str) -> Role:
    """The lesser of two roles: a token never exceeds its owner."""
    return min(Role(one), Role(other), key=lambda role: role.rank)
