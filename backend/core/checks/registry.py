"""The checks of each kind of plan, in the order in which operators read them; an exception in one refuses the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from backend.core.checks.activity import check_activity, check_enabled_events, check_write_through
from backend.core.checks.auto_position import check_auto_position, refuse_auto_position
from backend.core.checks.channel_tls import check_channel_files, check_channel_tls
from backend.core.checks.channels import (
    check_channel_errors,
    check_channel_known,
    check_channels_not_delayed,
    check_connection_name_free,
    check_move_needed,
    check_second_channel,
    check_sites_connected,
    check_unreachable_holders,
    warn_of_delayed_channels,
)
from backend.core.checks.console import (
    check_approval,
    check_no_other_run,
    check_replication_login,
)
from backend.core.checks.context import CheckContext
from backend.core.checks.create_channels import (
    check_every_node_is_up,
    check_no_channel,
    check_standby_can_be_fenced,
)
from backend.core.checks.default_collations import check_default_collations
from backend.core.checks.events import check_events, check_events_of_lost_side
from backend.core.checks.failover import check_active_is_lost, check_lost_nodes_are_fenced, check_relay_can_drain
from backend.core.checks.fencing import check_nodes_can_be_opened, check_unreachable_standby
from backend.core.checks.gtid import check_gtid_mode
from backend.core.checks.halves import check_sites_are_whole, check_survivor_is_whole
from backend.core.checks.log_continuity import (
    check_drain_of_one_log,
    check_history_continues,
    check_log_continuity,
    check_seam_to_prove,
)
from backend.core.checks.members import check_members_are_registered, check_members_of_survivor
from backend.core.checks.nodes import (
    check_clock,
    check_identity,
    check_primary,
    check_reachable,
    check_state_uuid,
)
from backend.core.checks.origins import (
    check_channel_ends,
    check_channels_of_survivor,
    check_no_foreign_channel,
    check_origins,
)
from backend.core.checks.reading import check_new_pair_reads
from backend.core.checks.reject_queries import check_reject_queries_privilege
from backend.core.checks.remove_channels import check_every_node_was_read, check_no_open_divergence
from backend.core.checks.reprotect import (
    check_divergence_recorded,
    check_incarnation,
    check_returned_nodes_are_seen,
    check_returned_nodes_can_be_fenced,
    check_survivor_takes_writes,
)
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.checks.server_ids import check_server_ids
from backend.core.checks.servers import check_servers
from backend.core.checks.settings import (
    check_auto_increment,
    check_binlog,
    check_commit_order,
    check_filters,
    check_log_settings,
    check_settings,
    warn_of_filters,
    warn_of_settings,
)
from backend.core.checks.start_channel import (
    check_channel_is_alone,
    check_channel_stands,
    check_loop_guard_is_whole,
    check_start_may_go_on,
)
from backend.core.checks.state_uuid import check_history_to_record, check_new_history
from backend.core.checks.stream_accounts import check_transactions_accounted, warn_of_unaccounted_transactions
from backend.core.checks.switchover import (
    check_both_channels_run,
    check_every_node_can_be_fenced,
    check_failback_target,
    check_lag,
    check_reconciled,
)
from backend.core.checks.versions import check_version, check_version_of_new_link
from backend.core.findings import Finding, Severity

Check = Callable[[CheckContext], Iterable[Finding]]

RELOCATE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_state_uuid,
    check_version,
    check_binlog,
    check_log_settings,
    check_settings,
    check_commit_order,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_channel_known,
    check_channel_errors,
    check_seam_to_prove,
    warn_of_unaccounted_transactions,
    check_gtid_mode,
    check_auto_position,
    check_sites_connected,
    check_new_pair_reads,
    check_second_channel,
    check_unreachable_holders,
    check_connection_name_free,
    check_move_needed,
    check_replication_login,
    check_channel_tls,
    check_channel_files,
    check_filters,
    warn_of_filters,
    warn_of_delayed_channels,
    check_auto_increment,
    check_default_collations,
    check_semi_sync,
    check_clock,
    check_approval,
)

_NEW_HISTORY: dict[Check, tuple[Check, ...]] = {
    check_state_uuid: (check_new_history,),
    check_seam_to_prove: (check_history_continues,),
    check_move_needed: (),
}
ACCEPT_CHECKS: tuple[Check, ...] = tuple(
    instead for check in RELOCATE_CHECKS for instead in _NEW_HISTORY.get(check, (check,))
)
"""The checks of a relocate, except that a new state UUID is expected and the channels need not move."""

SWITCHOVER_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_state_uuid,
    check_version,
    check_binlog,
    check_settings,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_loop_guard_is_whole,
    check_channel_known,
    check_both_channels_run,
    check_channel_errors,
    check_log_continuity,
    check_transactions_accounted,
    check_lag,
    check_channels_not_delayed,
    warn_of_filters,
    check_second_channel,
    check_unreachable_standby,
    check_every_node_can_be_fenced,
    check_nodes_can_be_opened,
    check_activity,
    check_write_through,
    check_events,
    check_reject_queries_privilege,
    check_semi_sync,
    check_clock,
    check_approval,
)

FAILBACK_CHECKS: tuple[Check, ...] = (check_failback_target, *SWITCHOVER_CHECKS)

FAILOVER_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_reachable,
    check_identity,
    check_servers,
    check_members_of_survivor,
    check_survivor_is_whole,
    check_primary,
    check_state_uuid,
    check_active_is_lost,
    check_lost_nodes_are_fenced,
    check_relay_can_drain,
    check_drain_of_one_log,
    warn_of_unaccounted_transactions,
    check_channels_of_survivor,
    check_nodes_can_be_opened,
    warn_of_settings,
    warn_of_filters,
    warn_of_delayed_channels,
    check_events_of_lost_side,
    check_reject_queries_privilege,
    check_semi_sync,
    check_approval,
)

REPROTECT_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_incarnation,
    check_version,
    check_binlog,
    check_log_settings,
    check_settings,
    check_commit_order,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_channel_known,
    check_gtid_mode,
    refuse_auto_position,
    check_sites_connected,
    check_new_pair_reads,
    check_second_channel,
    check_unreachable_holders,
    check_returned_nodes_can_be_fenced,
    check_connection_name_free,
    check_replication_login,
    check_channel_tls,
    check_channel_files,
    check_filters,
    warn_of_filters,
    check_auto_increment,
    check_default_collations,
    check_semi_sync,
    check_clock,
    check_approval,
)

REPROTECT_FENCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_returned_nodes_are_seen,
    check_survivor_takes_writes,
    check_returned_nodes_can_be_fenced,
    check_approval,
)
"""The fence alone only sets read_only, and orphans grow until then: what the channels would need is not asked for."""

REBUILD_OF_AWAY_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_divergence_recorded,
    check_reachable,
    check_identity,
    check_servers,
    check_primary,
    check_approval,
)
"""Of the survivor alone: the plan is refused with its guide until the side is back, and its nodes tell nothing."""

START_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reconciled,
    check_channel_stands,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_state_uuid,
    check_binlog,
    check_settings,
    check_server_ids,
    check_origins,
    check_channel_ends,
    check_start_may_go_on,
    check_log_continuity,
    check_loop_guard_is_whole,
    check_gtid_mode,
    refuse_auto_position,
    check_sites_connected,
    check_channel_is_alone,
    check_unreachable_holders,
    check_semi_sync,
    check_approval,
)

_BEFORE_CREATION: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_every_node_is_up,
    check_no_channel,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_history_to_record,
    check_version_of_new_link,
    check_binlog,
    check_log_settings,
    check_settings,
    check_commit_order,
    check_server_ids,
    check_origins,
    check_no_foreign_channel,
    check_channel_ends,
    check_connection_name_free,
    check_replication_login,
    check_filters,
    check_auto_increment,
    check_default_collations,
    check_semi_sync,
    check_clock,
    check_standby_can_be_fenced,
    check_approval,
)
CREATE_ON_COPY_CHECKS = _BEFORE_CREATION
CREATE_ON_EQUAL_CHECKS: tuple[Check, ...] = (
    *_BEFORE_CREATION,
    check_every_node_can_be_fenced,
    check_activity,
    check_enabled_events,
    check_write_through,
)
"""Both sides are fenced while their data is compared."""

MAINTENANCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_state_uuid,
    check_approval,
)

CLEAN_CHECKS: tuple[Check, ...] = (check_no_other_run, check_servers, check_semi_sync, check_approval)

FENCE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_standby_can_be_fenced,
    check_approval,
)
"""Of the standby side; a split one is fenced, too."""

CONFIGURE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
    check_state_uuid,
    check_approval,
)

ROTATION_CHECKS: tuple[Check, ...] = (
    check_no_open_divergence,
    *CONFIGURE_CHECKS,
    check_channel_errors,
    check_semi_sync,
)
"""Every node of the side is up and known; a channel with an error could not carry a statement across."""

REMOVE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    check_no_open_divergence,
    check_every_node_was_read,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_semi_sync,
    check_approval,
)


def run_checks(ctx: CheckContext, checks: Iterable[Check] = RELOCATE_CHECKS) -> tuple[Finding, ...]:
    """Every check's findings; a check that raises yields an unknown, which refuses the plan."""
    found: list[Finding] = []
    for check in checks:
        try:
            found.extend(check(ctx))
        except Exception as error:  # noqa: BLE001 - any fault inside a check refuses the plan
            found.append(
                Finding(
                    "check_failed",
                    Severity.UNKNOWN,
                    f"Check {check.__name__} failed with an internal error: {type(error).__name__}: {error}. "
                    "The plan is refused as a precaution.",
                    "Report this error.",
                )
            )
    return tuple(found)
