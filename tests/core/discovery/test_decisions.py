"""Settings, TLS, channels and open points from recorded facts; what is unknown never passes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from backend.core.discovery.channels import active_suggestion, link_found
from backend.core.discovery.open_points import OpenPoint, SideOutcome, open_points
from backend.core.discovery.servers import DiscoveredServer, TlsTrial
from backend.core.discovery.settings import pair_changes, setting_changes
from backend.core.discovery.tls import tls_choice
from backend.core.facts.judged_settings import needed_on
from backend.core.findings import Finding, Severity
from tests.core.discovery.recorded import TRIALS, channel, cluster, linked, server, with_variables


def test_settings__as_needed__nothing_to_change() -> None:
    assert setting_changes(cluster(1)) == ()


NEEDED = needed_on("mariadb", "10.11.19-MariaDB")
WRONG = {"slave_type_conversions": "ALL_LOSSY"} | dict.fromkeys(("init_slave", "init_connect"), "SET sql_log_bin=0")


@pytest.mark.parametrize("needed", NEEDED, ids=lambda needed: needed.variable)
def test_setting__wrong__value_reason_statement_and_line(needed: Any) -> None:
    wrong = WRONG.get(needed.variable, "7")
    (found,) = setting_changes([with_variables(server(1, 1), **{needed.variable: wrong})])
    assert (found.node, found.current, found.needed) == ("db-a1", wrong, needed.needed.value)
    assert found.severity is (Severity.BLOCKER if needed.is_required else Severity.WARNING)
    assert found.why
    assert found.config
    assert found.statement or "restart" in found.obstacle


@pytest.mark.parametrize("variable", [*(one.variable for one in NEEDED), "binlog_expire_logs_seconds"])
def test_setting__not_reported__unknown_and_no_statement(variable: str) -> None:
    (found,) = setting_changes([with_variables(server(1, 1), **{variable: None})])
    assert (found.severity, found.current, found.statement) == (Severity.UNKNOWN, None, "")
    assert found.obstacle


def test_setting__server_not_read__unknown() -> None:
    (found,) = setting_changes([DiscoveredServer("10.1.0.3", 3306, "down", error="connection refused")])
    assert found.severity is Severity.UNKNOWN
    assert "connection refused" in found.why


def test_pair__as_needed__nothing_to_change() -> None:
    assert pair_changes(*linked()) == ()


def test_pair__server_id_on_both_sides__a_free_one_with_what_hinders_it() -> None:
    first, second = cluster(1), cluster(2)
    second[1] = replace(second[1], server_id=11)
    (found,) = pair_changes(first, second)
    assert (found.node, found.needed, found.config) == ("db-b2", "24", "server_id = 24")
    assert found.severity is Severity.BLOCKER
    assert "IGNORE_SERVER_IDS" in found.obstacle


def test_pair__numbers_meet_or_are_unknown__one_offset_for_each_node() -> None:
    first, second = cluster(1), cluster(2)
    meeting = [with_variables(one, auto_increment_offset=str(i)) for i, one in enumerate(second, 1)]
    found = pair_changes(first, meeting)
    assert [one.needed for one in found] == [f"6, offset {n}" for n in range(1, 7)]
    unknown = [with_variables(one, auto_increment_offset=None) for one in second]
    assert {one.severity for one in pair_changes(first, unknown)} == {Severity.UNKNOWN}


def test_pair__channels_by_gtid__each_cluster_numbers_with_its_own_domain() -> None:
    first, second = linked()
    second[0] = replace(second[0], channels=(channel(first[0], using_gtid="Slave_Pos"),))
    found = pair_changes(first, second)
    assert {one.variable for one in found} == {"wsrep_gtid_mode", "wsrep_gtid_domain_id"}
    unknown = [with_variables(one, wsrep_gtid_mode=None) for one in second]
    assert Severity.UNKNOWN in {one.severity for one in pair_changes(first, unknown)}


def test_tls__strictest_that_works_on_every_server__and_what_hinders_the_next() -> None:
    found = tls_choice(cluster(1))
    assert found.mode == "verify_ca"
    assert "Another server with a certificate of the same authority" in found.protects
    assert "Hostname verification failed" in found.remedy


def test_tls__one_server_without__the_weakest_counts() -> None:
    plain = (TlsTrial("required", works=False, reason="the server does not support it"), TlsTrial("disabled", True))
    found = tls_choice([server(1, 1), server(1, 2, tls=plain)])
    assert found.mode == "disabled"
    assert "db-a2: the server does not support it." in found.remedy


def test_tls__without_a_certificate__says_where_the_servers_read_theirs() -> None:
    untried = tuple(TlsTrial(one.mode, None) if one.mode.startswith("verify") else one for one in TRIALS)
    found = tls_choice([server(1, 1, tls=untried)])
    assert found.mode == "required"
    assert "/etc/mysql/ca.pem" in found.remedy


def test_tls__nothing_tried__no_proposal() -> None:
    assert tls_choice([server(1, 1, tls=())]).mode is None


def test_link__both_directions__by_name_and_position() -> None:
    found = link_found(*linked())
    assert (found.state, found.channel_name) == ("linked", "")
    assert found.channels[0].sentence == (
        "The default channel on db-b1 reads from db-a1 as 10.1.0.1:3306, by position binlog.000002:673, and runs."
    )


def test_link__source_by_another_name__recognised_by_its_server_id() -> None:
    first, second = linked()
    second[0] = replace(second[0], channels=(channel(first[0], source_host="vip.example.net"),))
    assert link_found(first, second).state == "linked"


def test_link__none_and_one_way() -> None:
    first, second = linked()
    assert link_found(cluster(1), cluster(2)).state == "not_linked"
    assert link_found(first, cluster(2)).state == "one_way"
    assert link_found(cluster(1), second).state == "one_way"


def test_link__channels_unread__unknown_and_never_none() -> None:
    first = [replace(cluster(1)[0], channels=None), *cluster(1)[1:]]
    assert link_found(first, cluster(2)).state == "unknown"
    assert link_found([], cluster(2)).state == "unknown"


def test_link__two_in_one_direction__several() -> None:
    first, second = linked()
    second[1] = replace(second[1], channels=(channel(first[1]),))
    assert link_found(first, second).state == "several"


def test_link__names_differ__no_common_name() -> None:
    first, second = linked()
    second[0] = replace(second[0], channels=(channel(first[0], name="dr"),))
    found = link_found(first, second)
    assert (found.state, found.channel_name) == ("linked", None)


def test_link__source_is_no_node_of_the_other_cluster__foreign() -> None:
    first = cluster(1)
    first[0] = replace(first[0], channels=(channel(first[1], source_host="10.7.0.1", source_server_id=77),))
    found = link_found(first, cluster(2))
    assert (found.state, len(found.foreign)) == ("not_linked", 1)
    assert "no node of the other cluster" in found.foreign[0].sentence


def _outcome(site: int, **changes: Any) -> SideOutcome:
    given = {
        "side": ("first", "second")[site - 1],
        "name": ("milan", "frankfurt")[site - 1],
        "site": ("a", "b")[site - 1],
        "nodes": 3,
        "tls_mode": "verify_ca",
        "servers": linked()[site - 1],
        "has_accounts": True,
        "findings": [Finding("grants", Severity.OK, "as needed")],
    }
    return SideOutcome(**{**given, **changes})  # type: ignore[arg-type]


def _points(**changes: Any) -> tuple[OpenPoint, ...]:
    return open_points(_outcome(1, **changes), _outcome(2), "payments", link_found(*linked()), has_active=True)


def test_points__all_done__none() -> None:
    assert _points() == ()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": ""}, "name"),
        ({"servers": None}, "discover"),
        ({"tls_mode": ""}, "tls"),
        ({"has_accounts": False}, "accounts"),
        ({"findings": None}, "check"),
        ({"findings": [Finding("grants_unknown", Severity.UNKNOWN, "not read")]}, "grants_unknown"),
        ({"findings": [Finding("login", Severity.BLOCKER, "refused")]}, "login"),
        ({"servers": [server(1, 1), server(1, 2), server(1, 3), server(2, 3)]}, "members"),
        ({"servers": linked()[1]}, "same_cluster"),
    ],
)
def test_points__step_missing_or_access_unknown__refuses(changes: dict[str, Any], code: str) -> None:
    assert code in [one.code for one in _points(**changes) if one.must]


def test_points__setting_or_member_unknown__stays_open() -> None:
    servers = [with_variables(server(1, 1), log_bin=None), server(1, 2)]
    found = _points(servers=servers)
    assert {one.code for one in found} == {"setting", "members"}
    assert not any(one.must for one in found)


def test_points__more_privileges_than_needed__stays_open() -> None:
    (found,) = _points(findings=[Finding("grants_excess", Severity.WARNING, "SUPER", "REVOKE SUPER …")])
    assert (found.code, found.must) == ("grants_excess", False)


def test_points__not_linked__stays_open_and_says_so() -> None:
    first, second = _outcome(1, servers=cluster(1)), _outcome(2, servers=cluster(2))
    (found,) = open_points(first, second, "payments", link_found(cluster(1), cluster(2)), has_active=True)
    assert (found.code, found.must) == ("channels", False)
    assert "not linked" in found.sentence


def test_points__unknown_where_applications_write__refuses() -> None:
    (found,) = open_points(_outcome(1), _outcome(2), "payments", link_found(*linked()), has_active=False)
    assert (found.code, found.must) == ("active", True)


def test_active__one_side_alone_open_to_writes__suggested() -> None:
    opened = [with_variables(one, read_only="OFF") for one in cluster(1)]
    closed = [with_variables(one, read_only="ON") for one in cluster(2)]
    assert active_suggestion(opened, closed) == 0
    assert active_suggestion(closed, opened) == 1
    assert active_suggestion(opened, opened) is None
    assert active_suggestion(opened, cluster(2)) is None


def test_server__as_json__plain_data() -> None:
    one = linked()[0][0]
    assert DiscoveredServer.from_json(json.loads(json.dumps(one.to_json()))) == one
