"""Roles and their permissions: one table, shown by the page and checked on every call."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """A role, everywhere or for a scope; each includes the ones before it, except that no other includes `auditor`.

    `none` is the role of a user who has only what was assigned for a scope.
    """

    NONE = "none"
    VIEWER = "viewer"
    AUDITOR = "auditor"
    OPERATOR = "operator"
    APPROVER = "approver"
    ADMIN = "admin"


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
    AUDIT = "audit"
    USERS = "users"


CONSOLE_WIDE = frozenset({Permission.USERS, Permission.AUDIT, Permission.LAB})
"""What no role for a scope includes: it concerns all of the console."""
PERSONAL = frozenset({Permission.SESSION, Permission.TOKENS})
"""What every user may do with the own account, whatever the role."""
_VIEWER = PERSONAL | {Permission.READ}
_AUDITOR = _VIEWER | {Permission.AUDIT}
_OPERATOR = _VIEWER | {Permission.LOOKUP, Permission.PLAN, Permission.RUN, Permission.LAB}
_APPROVER = _OPERATOR | {Permission.APPROVE, Permission.OVERRIDE_CALENDAR}
_ADMIN = _APPROVER | {Permission.CLUSTERS, Permission.LINKS, Permission.AUDIT, Permission.USERS}

PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    Role.NONE: PERSONAL,
    Role.VIEWER: _VIEWER,
    Role.AUDITOR: _AUDITOR,
    Role.OPERATOR: _OPERATOR,
    Role.APPROVER: _APPROVER,
    Role.ADMIN: _ADMIN,
}

BEYOND_OPERATION = _ADMIN - _OPERATOR
"""What no operator may: to decide on what others ask for, and to administer."""

DESCRIPTIONS: Mapping[Permission, str] = {
    Permission.READ: "Read links, clusters, plans, runs, rehearsals and the audit log",
    Permission.SESSION: "Sign in, change the own password and preferences, end own sessions",
    Permission.TOKENS: "Create and revoke own tokens, with at most the own role",
    Permission.LOOKUP: "Look up transactions, row versions and orphaned transactions; compare tables, read their rows",
    Permission.PLAN: "Make plans, rehearse operations and measure the network of a link",
    Permission.RUN: "Start, abort and resume runs, maintenance, confirm a server, dismiss advice, settle transactions",
    Permission.LAB: "Stop nodes and sites of the demo lab",
    Permission.APPROVE: "Approve runs of other users and review runs without approval",
    Permission.OVERRIDE_CALENDAR: "Start planned operations in spite of the change calendar, with a reason",
    Permission.CLUSTERS: "Register, change and retire clusters and nodes",
    Permission.LINKS: "Register, change and retire links, their webhooks, destinations, automation and change calendar",
    Permission.AUDIT: "Read users, their sessions and tokens, teams, and who may do what",
    Permission.USERS: "Manage users, teams and roles, their sessions and tokens, and decide on protected changes",
}


def may(role: Role | str, permission: Permission) -> bool:
    """Whether the role includes the permission."""
    return permission in PERMISSIONS[Role(role)]


def lesser(one: Role | str, other: Role | str) -> Role:
    """The highest role that both include: a token never exceeds its owner."""
    shared = PERMISSIONS[Role(one)] & PERMISSIONS[Role(other)]
    return max((role for role in Role if PERMISSIONS[role] <= shared), key=lambda role: len(PERMISSIONS[role]))
