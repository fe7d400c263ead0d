"""The guided registration by API: resumable, its administrator's password nowhere, its statements confirmed."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.serializers import serialize
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster, CredentialRole, Link
from backend.clusters.secret_stores import cache
from backend.clusters.selectors import account
from backend.core.dialects import MARIADB_NEEDS as NEEDS
from backend.core.dialects.base import DialectError
from backend.core.dialects.needs import Need
from backend.core.findings import Finding, Severity
from backend.gateway.account_statements import AccountName, is_account_statement, native_hash
from backend.gateway.excess_grants import excess
from backend.registration.declaration.host_file import read_file
from backend.registration.guide.accounts import credentials_of, logins_of
from backend.registration.guide.drafts import MOST_DRAFTS, forget_expired
from backend.registration.models import DraftCredential, RegistrationDraft
from tests.api.guided import Guide, RecordedServers, servers
from tests.backend.secret_stores.conftest import folder
from tests.core.discovery.recorded import with_variables
from tests.support.console import CANARY, Caller

__all__ = ["folder", "servers"]


def _stored() -> str:
    """Everything that the console's database holds, as text."""
    every = [model for model in apps.get_models() if model._meta.managed]
    return "".join(serialize("json", model._default_manager.all()) for model in every)


def test_guide__walked_to_its_end__link_registered_and_accounts_in_use(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.all_steps()
    assert guide.body["open_points"] == []
    assert (guide.body["link"]["found"]["state"], guide.body["link"]["found"]["channel_name"]) == ("linked", "")
    answer = guide.step("register")
    assert answer.status == 200, answer.body
    link = Link.objects.get(pk=answer.body["link_id"])
    assert (link.name, link.active_cluster.name, link.standby_cluster.name) == ("payments", "milan", "frankfurt")
    assert [node.name for node in link.active_cluster.nodes.all()] == ["db-a1", "db-a2", "db-a3"]
    user, password = account(link.active_cluster, CredentialRole.MONITOR)
    assert (user, password) == ("hawser_monitor", servers.passwords[0]["monitor"])
    assert not DraftCredential.objects.exists()


def test_password_of_the_administrator__in_no_table_log_or_answer(
    admin: Caller, servers: RecordedServers, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    guide = Guide(admin)
    guide.all_steps()
    servers.failed_at = 2
    guide.create("first")
    guide.discover("second", password=f"{CANARY}\n")
    assert {login.password for login in servers.logins} > {CANARY}
    output = capfd.readouterr()
    for text in (_stored(), caplog.text, output.out, output.err, json.dumps(guide.body)):
        assert CANARY not in text


def test_generated_passwords__shown_nowhere_and_strong(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.all_steps()
    for password in servers.passwords[0].values():
        assert len(password) >= 32
        assert password not in json.dumps(guide.body)
        assert password not in _stored()
        assert native_hash(password) not in _stored()


def test_accounts__digest_not_confirmed__nothing_sent(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    shown = guide.body["first"]["statements"]["digest"]
    answer = guide.create(digest="0" * 64)
    assert (answer.status, answer.body.get("code")) == (409, "statements_changed")
    guide.step("", "PATCH", first={"accounts": {"monitor": {"host": "%"}}})
    answer = guide.create(digest=shown)
    assert (answer.status, answer.body.get("code")) == (409, "statements_changed")
    assert servers.sent == []


def test_accounts__confirmed__exactly_the_statements_shown(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    shown = [one["sql"] for one in guide.body["first"]["statements"]["statements"]]
    assert (
        "CREATE USER IF NOT EXISTS 'hawser_monitor'@'10.0.9.%' IDENTIFIED VIA mysql_native_password USING '***'"
        in shown
    )
    guide.create()
    masked = [sql.replace(f"{{{{secret:{role}}}}}", "***") for sql in servers.sent for role in [_role(sql)]]
    assert masked == shown
    assert all(map(is_account_statement, servers.sent))
    assert {one["result"] for one in guide.body["first"]["statements"]["statements"]} == {"done"}
    record = AuditRecord.objects.get(action="api:registration:confirm_accounts")
    assert record.facts["accounts"][0] == "hawser_monitor@10.0.9.%"


def _role(sql: str) -> str:
    return next((role for role in ("monitor", "operator", "replication") if f"secret:{role}" in sql), "none")


def test_accounts__refused_in_the_middle__continued_with_the_same_passwords(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    guide.discover()
    servers.failed_at = 3
    answer = guide.create()
    assert (answer.status, answer.body.get("code")) == (409, "accounts_not_created")
    assert "3 statements before it are done" in answer.body["detail"]
    resumed = admin.get(f"/registrations/{guide.id}").body["first"]["statements"]
    assert [one["result"] for one in resumed["statements"]][:4] == ["done", "done", "done", "failed"]
    assert resumed["state"] == ""
    servers.failed_at = None
    assert guide.create().status == 200
    assert servers.passwords[0] == servers.passwords[1]


def test_accounts__same_names_on_both_sides__one_password_because_channels_replicate_accounts(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    guide.all_steps()
    assert servers.passwords[0] == servers.passwords[1]


def test_accounts__entered__stored_encrypted_and_never_shown(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    chosen = {role: {"user": f"my_{role}", "password": CANARY} for role in ("monitor", "operator", "replication")}
    answer = guide.step("accounts", "PUT", side="first", accounts=chosen)
    assert answer.status == 200, answer.body
    assert answer.body["first"]["statements"]["state"] == "entered"
    assert answer.body["first"]["accounts"]["monitor"]["user"] == "my_monitor"
    assert CANARY not in _stored()
    assert "IDENTIFIED BY 'choose a password'" in answer.body["first"]["statements"]["own"][0]


def test_accounts__entered_by_reference__kept_there_to_the_end_and_in_the_file(
    admin: Caller, servers: RecordedServers, folder: Path
) -> None:
    guide = Guide(admin)
    guide.discover()
    guide.all_steps()
    (folder / "monitor").write_text("value-of-the-store")
    reference = f"file:{folder}/monitor"
    for side in ("first", "second"):
        chosen: dict[str, dict[str, str]] = {
            role: {"user": f"hawser_{role}", "password": "entered"} for role in ("operator", "replication")
        }
        chosen["monitor"] = {"user": "hawser_monitor", "reference": reference}
        answer = guide.step("accounts", "PUT", side=side, accounts=chosen)
        assert answer.status == 200, answer.body
    assert guide.body["declaration"].count(f"reference: {reference}") == 2
    row = DraftCredential.objects.get(side="first", role="monitor")
    assert (row.sealed, row.reference) == ("", reference)
    assert logins_of(row.draft, "first")["monitor"] == ("hawser_monitor", "value-of-the-store")
    assert credentials_of(row.draft, "first")["monitor"] == {"user": "hawser_monitor", "reference": reference}
    assert "value-of-the-store" not in _stored()
    (folder / "monitor").unlink()
    cache.forget()
    assert guide.step("accounts", "PUT", side="first", accounts=chosen).body["code"] == "secret_unavailable"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"host": "127.93.0.1"}, "first.host"),
        ({"administrator": ""}, "first.administrator"),
        ({"host": ""}, "first.host"),
    ],
)
def test_discover__fails__names_the_field_and_stores_nothing(
    admin: Caller, servers: RecordedServers, changes: dict[str, Any], field: str
) -> None:
    guide = Guide(admin)
    guide.step("", "PATCH", first=changes)
    answer = guide.discover()
    assert answer.status in (400, 409)
    assert [one["field"] for one in answer.body["errors"]] == [field]
    assert admin.get(f"/registrations/{guide.id}").body["first"]["discovered"] is None


@pytest.mark.parametrize(
    ("side", "value", "field"),
    [
        ("first", {"host": "169.254.169.254"}, "first.host"),
        ("first", {"host": "a b"}, "first.host"),
        ("second", {"tls": {"mode": "verify_ca"}}, "second.tls.ca"),
        ("first", {"nodes": [{"name": "a", "host": "127.91.0.1"}] * 2}, "first.nodes.1.host"),
        ("first", {"accounts": {"monitor": {"user": "x'y"}}}, "first.accounts.monitor.user"),
        ("first", {"accounts": {"monitor": {"host": "x'y"}}}, "first.accounts.monitor.host"),
        ("link", {"name": "<b>"}, "link.name"),
        ("first", {"password": "x"}, "first.password"),
    ],
)
def test_draft__bad_value__names_the_field(
    admin: Caller, servers: RecordedServers, side: str, value: Any, field: str
) -> None:
    guide = Guide(admin)
    answer = guide.step("", "PATCH", **{side: value})
    assert answer.status == 400, answer.body
    assert [one["field"] for one in answer.body["errors"]] == [field]


def test_draft__another_node_to_connect_to__what_was_found_is_forgotten(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    guide.all_steps()
    guide.step("", "PATCH", first={"host": "127.91.0.2"})
    assert (guide.body["first"]["discovered"], guide.body["first"]["checked"]) == (None, None)
    assert not DraftCredential.objects.filter(side="first").exists()
    assert {one["code"] for one in guide.body["open_points"] if one["must"]} == {"discover"}


def test_draft__values_changed__checked_again_before_it_is_registered(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.all_steps()
    guide.step("", "PATCH", first={"tls": {"mode": "disabled"}})
    answer = guide.step("register", accept_open=True)
    assert (answer.status, answer.body.get("code")) == (409, "registration_open_points")
    assert not Cluster.objects.exists()


def test_register__access_unknown_or_refused__never_passes(admin: Caller, servers: RecordedServers) -> None:
    for severity in (Severity.UNKNOWN, Severity.BLOCKER):
        servers.findings = [Finding("grants_unknown", severity, "The grants could not be read.")]
        guide = Guide(admin)
        guide.all_steps()
        answer = guide.step("register", accept_open=True)
        assert (answer.status, answer.body.get("code")) == (409, "registration_open_points")
        assert not Cluster.objects.exists()


def test_register__setting_unknown__only_where_that_is_accepted(admin: Caller, servers: RecordedServers) -> None:
    servers.sides[0][0] = with_variables(servers.sides[0][0], binlog_format=None)
    guide = Guide(admin)
    guide.all_steps()
    assert guide.step("register").body["code"] == "registration_open_points"
    assert guide.step("register", accept_open=True).status == 200


def test_register__interrupted_after_the_first_cluster__continues(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.all_steps()
    draft = RegistrationDraft.objects.get(pk=guide.id)
    taken = Cluster.objects.create(name="frankfurt", site="x", tls_mode="disabled")
    answer = guide.step("register")
    assert (answer.status, answer.body.get("code")) == (409, "cluster_exists")
    draft.refresh_from_db()
    assert draft.first_cluster_id
    taken.delete()
    assert guide.step("register").status == 200
    assert Cluster.objects.filter(name="milan").count() == 1


def test_draft__finished__takes_no_more_steps(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.all_steps()
    guide.step("register")
    for answer in (guide.discover(), guide.step("", "PATCH", link={"name": "x"}), guide.step("register")):
        assert (answer.status, answer.body.get("code")) == (409, "registration_done")


def test_draft__seven_days_old__gone_with_its_accounts(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    guide.create()
    RegistrationDraft.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert admin.get(f"/registrations/{guide.id}").status == 404
    forget_expired()
    assert not DraftCredential.objects.exists()


def test_draft__deleted__tells_which_accounts_stay(admin: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    guide.create()
    assert admin.call("DELETE", f"/registrations/{guide.id}").status == 204
    record = AuditRecord.objects.get(action="api:registration:delete")
    assert len(record.facts["accounts"]) == 3


def test_drafts__too_many__409(admin: Caller, servers: RecordedServers) -> None:
    for _ in range(MOST_DRAFTS):
        assert admin.post("/registrations", {}).status == 201
    assert admin.post("/registrations", {}).body["code"] == "too_many_registrations"
    assert len(admin.get("/registrations").body["results"]) == MOST_DRAFTS


def test_draft__as_a_file__what_hawser_apply_takes(admin: Caller, servers: RecordedServers, tmp_path: Any) -> None:
    guide = Guide(admin, link={"name": "payments", "active": "first", "writes_on_both_sides": True})
    guide.all_steps()
    path = tmp_path / "link.yaml"
    path.write_text(guide.body["declaration"])
    environment = {
        f"{name}_{role}": "pw" for name in ("MILAN", "FRANKFURT") for role in ("MONITOR", "OPERATOR", "REPLICATION")
    }
    state = read_file(path, lambda text: text, environment).state
    assert [one.name for one in state.clusters] == ["milan", "frankfurt"]
    assert (state.links[0].name, state.links[0].writes_on_both_sides) == ("payments", True)
    guide.step("register")
    assert Link.objects.get().writes_on_both_sides


MORE_THAN_NEEDED = (
    "CREATE USER IF NOT EXISTS 'a'@'%' IDENTIFIED BY 'x'",
    "CREATE USER 'a'@'%' IDENTIFIED VIA mysql_native_password USING '{{secret:monitor}}'",
    "GRANT ALL PRIVILEGES ON *.* TO 'a'@'%'",
    "GRANT SUPER ON *.* TO 'a'@'%'",
    "GRANT PROCESS ON *.* TO 'a'@'%' WITH GRANT OPTION",
    "GRANT SELECT ON `mysql`.* TO 'a'@'%'",
    "GRANT SELECT ON *.* TO 'a'@'%'",
    "DROP USER 'a'@'%'",
    "ALTER USER 'a'@'%' IDENTIFIED BY 'x'",
)
EXCESS = (
    ("monitor", "GRANT PROCESS, SUPER ON *.* TO `x`@`%`", [("SUPER", "REVOKE SUPER ON *.* FROM")]),
    ("monitor", "GRANT SELECT ON *.* TO `x`@`%`", [("SELECT", "REVOKE SELECT ON *.* FROM")]),
    ("monitor", "GRANT SELECT ON `shop`.* TO `x`@`%`", [("SELECT on shop.*", "REVOKE SELECT ON `shop`.* FROM")]),
    ("operator", "GRANT SELECT, TRIGGER ON `shop`.* TO `x`@`%`", []),
    ("operator", "GRANT DROP ON `shop`.* TO `x`@`%`", [("DROP on shop.*", "REVOKE DROP ON `shop`.* FROM")]),
    (
        "operator",
        "GRANT SELECT ON `mysql`.* TO `x`@`%`",
        [("SELECT on mysql.*", "REVOKE SELECT ON `mysql`.* FROM")],
    ),
    (
        "replication",
        "GRANT REPLICATION SLAVE ON *.* TO `x`@`%` IDENTIFIED BY PASSWORD '*1' WITH GRANT OPTION",
        [("GRANT OPTION", "REVOKE GRANT OPTION ON *.* FROM")],
    ),
    ("replication", "GRANT `boss` TO `x`@`%`", [("the role `boss`", "REVOKE `boss` FROM")]),
    ("monitor", "GRANT USAGE ON *.* TO `x`@`%`", []),
    ("monitor", "GRANT PROCESS ON `a`;DROP/**/TABLE TO `x`@`%`", [("PROCESS on a;DROP/**/TABLE", "")]),
)
"""Role, line of SHOW GRANTS, and what is too much of it with the beginning of the statement that revokes it."""


def test_statement__more_than_the_three_accounts_need__never_sent() -> None:
    assert [sql for sql in MORE_THAN_NEEDED if is_account_statement(sql)] == []


def test_grants__more_than_the_role_needs__said_with_the_statement_that_revokes_it() -> None:
    for role, line, found in EXCESS:
        assert list(excess(role, [line], NEEDS)) == found


@pytest.mark.parametrize("need", NEEDS, ids=lambda need: f"{need.role} {need.on}")
def test_grants__what_the_role_needs__not_too_much(need: Need) -> None:
    line = f"GRANT {', '.join(need.privileges)} ON {need.on} TO `x`@`%`"
    assert list(excess(need.role, [line], NEEDS)) == []


def test_account__name_that_fits_into_no_statement__no_statement() -> None:
    with pytest.raises(DialectError):
        _ = AccountName("x'y", "%").quoted


def test_discover__at_the_shell__prints_what_a_registration_needs_and_no_password(
    servers: RecordedServers, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "backend.registration.management.commands.hawser_discover"
    monkeypatch.setattr(f"{command}.discover", servers.discover)
    monkeypatch.setattr(f"{command}.read_password", lambda: CANARY)
    servers.sides[0][1] = with_variables(servers.sides[0][1], log_bin=None)
    out = io.StringIO()
    call_command("hawser_discover", "127.91.0.1", "--port", "1", "--user", "boss", stdout=out)
    text = out.getvalue()
    assert "db-a1 is a member: MariaDB 10.11.19-MariaDB, server_id 11." in text
    assert "db-a2: log_bin is unknown, needed: ON." in text
    assert "GRANT REPLICATION SLAVE ON *.* TO 'hawser_repl'@'%';" in text
    assert CANARY not in text + _stored()
    with pytest.raises(CommandError, match="Check host and port"):
        call_command("hawser_discover", "127.93.0.1", "--port", "1", "--user", "boss", stdout=out)
