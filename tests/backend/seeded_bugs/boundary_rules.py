"""Rules of the console's boundary: what it takes in, whom it calls, what it lets its broker tell it."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_PARTS = "tests.backend.test_statement_parts"

BOUNDARY_RULES = (
    OuterRule(
        "a_cursor_is_of_its_columns_type",
        "backend.common.rest.pagination",
        "    if not is_fit:\n",
        "    if False:\n",
        "tests.api.test_cursors::test_cursor__of_the_wrong_type__400_naming_it_on_every_paginated_endpoint",
        "a viewer makes errors of the server at will",
    ),
    OuterRule(
        "a_host_that_no_statement_carries_is_not_registered",
        "backend.clusters.services",
        '        check_host_part(node["host"], f"nodes.{index}.host")\n',
        "",
        f"{ON_PARTS}::test_registration__host_that_no_statement_carries__refused_by_name",
        "that no plan can name a node is found out on the day of the failover",
    ),
    OuterRule(
        "an_account_that_no_statement_carries_is_not_registered",
        "backend.clusters.services",
        "    check_account_parts(credentials)\n",
        "",
        f"{ON_PARTS}::test_registration__account_that_no_statement_carries__refused_by_name",
        "that no channel can be set up with the account is found out on the day of the failover",
    ),
    OuterRule(
        "a_registered_name_that_no_statement_carries_is_reported",
        "backend.clusters.inspection",
        "return [*part_findings(cluster), *found]",
        "return found",
        f"{ON_PARTS}::test_cluster_check__registered_before_the_checks__reported_with_a_remedy",
        "a cluster of an earlier version is found unusable on the day of the failover",
    ),
    OuterRule(
        "a_name_that_a_server_tells_is_no_sql",
        "backend.gateway.grants",
        """return f"{quoting.plain(user, 'user')}@{quoting.plain(host, 'host')}\"""",
        """return f"'{user}'@'{host}'\"""",
        "tests.backend.test_remedies::test_remedy__account_name_that_a_server_tells__never_becomes_a_statement",
        "a false server writes the statement that an administrator pastes as root",
    ),
)
