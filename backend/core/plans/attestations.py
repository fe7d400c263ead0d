"""Which finding a person can answer, with which option of the next plan, and what that person then attests.

Only what no server can answer is answered by a person, and only where the plan would refuse without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.findings import Finding
from backend.core.orphans.report import REBUILD

FENCED, ALSO = "attest_fenced", "remove_also"
"""Take what they add to: ids of nodes, and names of channels. Every other option is a plain yes."""
ERROR_OVER = "attest_error_over"
"""Answers an error of a channel only where its finding says so: some causes a server shows for certain."""


@dataclass(frozen=True, slots=True)
class Attestation:
    """The option that answers a finding, the sentence that is attested with it, and whether the plan was given it.

    `node_id` and `node` name what to add to an option that takes a list. `is_override` marks a statement that
    overrides a safety check instead of telling a fact.
    """

    option: str
    label: str
    is_given: bool
    is_override: bool = False
    node_id: str | None = None
    node: str | None = None


LABELS = {
    FENCED: "I attest that {node} is fenced: powered off, or isolated from applications and from the other side",
    "attest_accounts": "I attest that no account writes through the fence during the run",
    "attest_site_path": "I attest that the network path between the sites is open for the new nodes",
    ERROR_OVER: "I attest that the cause of this error is fixed. The channel retries the transaction",
    "attest_origins": "I attest that nothing writes under this server_id any more, or that its transactions come by "
    "this channel only",
    "attest_unknown_runs": "I attest that no other Hawser instance manages this link and that its channels are "
    "correct now",
    "accept_loss": "I accept this data loss",
    "allow_long_transactions": "Continue although these transactions are open. Their commits will fail once writes "
    "are fenced",
    ALSO: "Remove the channel {node}, too",
    "accept_sst": "I accept that the node may return by SST: a copy of all data, for which its donor is not Synced",
    "skip_conflicts": "Skip these transactions. They are discarded; the export keeps a copy",
    "override_partition": "Override: fail over although the other side may be up and accept writes",
}
"""What is attested with each option."""
ATTESTATION_OPTIONS = tuple(LABELS)
_OVERRIDES = frozenset({"attest_unknown_runs", "override_partition"})

OPTION_OF = {
    "unreachable_node_may_run": FENCED,
    "node_not_attested": FENCED,
    "node_cannot_be_fenced": FENCED,
    "accounts_unknown": "attest_accounts",
    "site_path_unknown": "attest_site_path",
    "transaction_would_fail_again": ERROR_OVER,
    "reading_would_stop_again": ERROR_OVER,
    "reading_cause_unknown": ERROR_OVER,
    "foreign_origin_unclear": "attest_origins",
    "unknown_runs_found": "attest_unknown_runs",
    "long_transaction": "allow_long_transactions",
    "orphans_conflict": "skip_conflicts",
    "loss_not_accepted": "accept_loss",
    "relay_log_not_drained": "accept_loss",
    "standby_not_proven_whole": "accept_loss",
    "orphans_rebuild": "accept_loss",
    "orphans_unknown": "accept_loss",
    "unapplied_unknown": "accept_loss",
    "other_channel_stays": ALSO,
    "maintenance_time_short": "accept_sst",
    "sites_are_parted": "override_partition",
    "active_site_lives": "override_partition",
    "active_site_seen_by_standby": "override_partition",
}
"""By the code of a finding that refuses, the option that answers it."""
_ADDED = {FENCED: "node_id", ALSO: "choice"}
"""The fact of a finding that is added to an option that takes a list."""
GIVEN_AS = {
    "other_channel_is_removed": ALSO,
    "unreachable_node_attested": FENCED,
    "accounts_attested": "attest_accounts",
    "site_path_attested": "attest_site_path",
    "transaction_mended_attested": ERROR_OVER,
    "reading_mended_attested": ERROR_OVER,
    "foreign_origin_attested": "attest_origins",
    "unknown_runs_attested": "attest_unknown_runs",
    "loss_accepted": "accept_loss",
    "partition_overridden": "override_partition",
}
"""By the code of a finding that tells of an attestation, the option it was given with.

Codes of `OPTION_OF` that stay after their option was given turn into warnings instead.
"""


def attestation_of(finding: Finding, options: Mapping[str, Any]) -> Attestation | None:
    """What a person may attest about this finding of a plan with these options, or attested; None where nothing."""
    option = _required(finding, options) if finding.refuses else _given(finding)
    if option is None:
        return None
    node_id = str(finding.facts.get(_ADDED[option]) or "") if option in _ADDED else None
    if node_id == "" or _is_given(option, node_id, options) is finding.refuses:
        return None
    node = None if node_id is None else str(finding.facts["node"]) if option == FENCED else node_id
    return Attestation(
        option=option,
        label=LABELS[option].format(node=node),
        is_given=not finding.refuses,
        is_override=option in _OVERRIDES,
        node_id=node_id,
        node=node,
    )


def _required(finding: Finding, options: Mapping[str, Any]) -> str | None:
    """A node that answers needs no attestation; orphans that were not counted are discarded by a rebuild alone."""
    if finding.code == "orphans_unknown" and options.get("orphans") != REBUILD:
        return None
    option = OPTION_OF.get(finding.code)
    if option == ERROR_OVER:
        return str(finding.facts["option"]) if "option" in finding.facts else None
    return None if option == FENCED and finding.facts.get("reach") == "up" else option


def _given(finding: Finding) -> str | None:
    option = OPTION_OF.get(finding.code)
    return GIVEN_AS.get(finding.code) or (None if option == FENCED else option)


def _is_given(option: str, node_id: str | None, options: Mapping[str, Any]) -> bool:
    value = options.get(option)
    return bool(value) if node_id is None else node_id in (value or ())
