"""Checks that several kinds of plans make one after the other."""

from __future__ import annotations

from backend.core.checks.channel_tls import check_channel_files, check_channel_tls
from backend.core.checks.channels import warn_of_delayed_channels
from backend.core.checks.console import check_approval, check_replication_login
from backend.core.checks.default_collations import check_default_collations
from backend.core.checks.halves import check_sites_are_whole
from backend.core.checks.members import check_members_are_registered
from backend.core.checks.nodes import check_clock, check_identity, check_primary, check_reachable
from backend.core.checks.origins import check_origins
from backend.core.checks.run import Check
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
)

NODE_CHECKS: tuple[Check, ...] = (
    check_reachable,
    check_identity,
    check_servers,
    check_members_are_registered,
    check_sites_are_whole,
    check_primary,
)

LOG_CHECKS: tuple[Check, ...] = (
    check_binlog,
    check_log_settings,
    check_settings,
    check_commit_order,
    check_server_ids,
    check_origins,
)

NEW_CHANNEL_CHECKS: tuple[Check, ...] = (
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
