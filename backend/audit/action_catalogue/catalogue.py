"""Every action of the audit log, by subject; docs/reference/audit-actions.md is written from it."""

from __future__ import annotations

from collections.abc import Mapping

from backend.audit.action_catalogue import (
    access,
    approvals,
    automation,
    bandwidth,
    calibration,
    console,
    destinations,
    guide,
    incidents,
    lab,
    links,
    network,
    orphans,
    registration,
    runs,
    scopes,
    second_factors,
    sign_in,
    users,
    workers,
)
from backend.audit.action_catalogue.entry import ActionEntry

SUBJECTS: Mapping[str, tuple[ActionEntry, ...]] = {
    "Plans and requests for runs": runs.PLANS,
    "Decisions on a run": runs.DECISIONS,
    "A run and its steps": workers.RUNS,
    "Statements": workers.STATEMENTS,
    "Changes of a link by a run": workers.LINK_CHANGES,
    "Incidents": incidents.INCIDENTS,
    "Automation": automation.AUTOMATION,
    "Rehearsals": automation.REHEARSALS,
    "Orphaned transactions": orphans.ORPHANS,
    "Clusters and links": links.CLUSTERS_AND_LINKS,
    "Approval rules": approvals.APPROVAL_RULES,
    "Change calendar": approvals.CHANGE_CALENDAR,
    "Guided registration": guide.GUIDE,
    "Changes of a registration": registration.CHANGES,
    "Network measurements": network.NETWORK,
    "Calibrations": calibration.CALIBRATION,
    "Bandwidth": bandwidth.BANDWIDTH,
    "Webhooks": links.HOOKS,
    "Destinations": destinations.DESTINATIONS,
    "Sign-in": access.SIGN_IN,
    "Sign-in by a provider": sign_in.PROVIDERS,
    "Sessions and tokens": access.SESSIONS_AND_TOKENS,
    "Second factors": second_factors.SECOND_FACTORS,
    "Web Push": access.WEB_PUSH,
    "Users": users.USERS,
    "Teams, assigned roles and environments": scopes.SCOPES,
    "Protected changes": users.PROTECTED_CHANGES,
    "The audit log": console.AUDIT_LOG,
    "The console": console.CONSOLE,
    "Lab of the demo": lab.LAB,
}
