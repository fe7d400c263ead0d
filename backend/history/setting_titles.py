"""The actions of the audit log that change a setting or the registration of a link, as its time line tells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ACTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "A cluster was registered": (
        "api:cluster:register",
        "cli:cluster:register",
    ),
    "Advice was dismissed": ("api:advice:dismiss",),
    "A dismissal of advice was withdrawn": ("api:advice:withdraw",),
    "Transactions that do not stand on both sides were settled": ("api:link:settle_transactions",),
    "Unsafe settings that are over were settled": ("api:link:settle_unsafe_settings",),
    "A link was registered": (
        "api:link:register",
        "cli:link:register",
    ),
    "A cluster was changed": (
        "api:cluster:update",
        "cli:cluster:update",
    ),
    "An account of a cluster was replaced": (
        "api:cluster:replace_credential",
        "cli:cluster:replace_credential",
    ),
    "A cluster was replaced by a new one": (
        "api:cluster:replace",
        "cli:cluster:replace",
    ),
    "Plans with untried servers were accepted": (
        "api:cluster:accept_server",
        "cli:cluster:accept_server",
    ),
    "An acceptance of untried servers was withdrawn": (
        "api:cluster:withdraw_acceptance",
        "cli:cluster:withdraw_acceptance",
    ),
    "An acceptance of untried servers ended": ("console:cluster:end_acceptance",),
    "A cluster was retired": (
        "api:cluster:retire",
        "cli:cluster:retire",
    ),
    "A node was added": (
        "api:node:add",
        "cli:node:add",
    ),
    "A node was changed": (
        "api:node:update",
        "cli:node:update",
    ),
    "A replaced server was confirmed": (
        "api:node:confirm_server",
        "cli:node:confirm_server",
    ),
    "A node was removed": (
        "api:node:remove",
        "cli:node:remove",
    ),
    "A link was changed": (
        "api:link:update",
        "cli:link:update",
    ),
    "A maintenance was begun, or ended": (
        "api:link:pause",
        "cli:link:pause",
        "api:link:resume",
        "cli:link:resume",
    ),
    "Two links swapped their names": (
        "api:link:swap_names",
        "cli:link:swap_names",
    ),
    "The retirement of a link was requested": (
        "api:link:request_retirement",
        "cli:link:request_retirement",
    ),
    "A link was retired": (
        "api:link:retire",
        "cli:link:retire",
    ),
    "Passwords were compared with stored ones": (
        "api:cluster:compare_passwords",
        "api:declaration:compare",
        "api:plan:compare_passwords",
    ),
    "A webhook was created": ("api:hook:create",),
    "A webhook was changed": ("api:hook:update",),
    "A webhook was deleted": ("api:hook:delete",),
    "A destination was created": ("api:destination:create",),
    "A destination was changed": ("api:destination:update",),
    "A destination was deleted": ("api:destination:delete",),
    "The automatic relocate was set": ("api:automation:set",),
    "An automatic relocate was acknowledged": ("api:automation:acknowledge",),
    "The automation of a compromised token was switched off": ("console:automation:withdrawn",),
    "The automatic start was set": ("api:automatic_start:set",),
    "A node maintenance was ended": ("api:node_maintenance:end",),
    "The freeze of a donor's gcache is ended": ("monitor:node_maintenance:unfreeze",),
    "A node maintenance is over": ("monitor:node_maintenance:ended",),
    "The rehearsal schedule was set": ("api:rehearsal:schedule",),
    "The schedule of table comparisons was set": ("api:table_comparison:schedule",),
    "A protected change waits": ("console:protected_change:announced",),
    "A protected change was confirmed": ("console:protected_change:confirmed",),
    "A protected change was rejected": ("console:protected_change:rejected",),
    "A protected change took effect": ("console:protected_change:effective",),
    "A protected change was withdrawn": ("console:protected_change:withdrawn",),
    "A protected change could not be withdrawn": ("console:protected_change:not_withdrawn",),
}
SETTING_TITLES: Final[Mapping[str, str]] = {action: title for title, actions in _ACTIONS.items() for action in actions}
"""The title of each, which is that of docs/reference/audit-actions.md."""
