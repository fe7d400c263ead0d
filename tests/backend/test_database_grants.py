"""What the run-time account is granted, and which commands use the account that may change the schema."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from backend.audit import guard, triggers
from backend.audit.grants import grants, quoted_account
from backend.audit.models import AuditHead, AuditRecord
from backend.audit.services import record
from backend.audit.verification.walk import verify
from backend.config.settings.database import chosen_url


def test_grants__each_table__the_record_can_be_added_to_and_read_alone() -> None:
    tables = ["runs_run", "audit_auditrecord", "django_migrations", "audit_audithead"]
    assert list(grants("haw`ser", tables, "haw'ser@10.0.0.%")) == [
        "GRANT SELECT, INSERT, UPDATE ON `haw``ser`.`audit_audithead` TO 'haw''ser'@'10.0.0.%'",
        "GRANT SELECT, INSERT ON `haw``ser`.`audit_auditrecord` TO 'haw''ser'@'10.0.0.%'",
        "GRANT SELECT ON `haw``ser`.`django_migrations` TO 'haw''ser'@'10.0.0.%'",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON `haw``ser`.`runs_run` TO 'haw''ser'@'10.0.0.%'",
    ]
    assert quoted_account("hawser") == "'hawser'@'%'"


def test_command__on_sqlite__refused_with_the_setting(db: None) -> None:
    if connection.vendor == "sqlite":
        with pytest.raises(CommandError, match="HAWSER_DATABASE_URL"):
            call_command("hawser_database_grants")


@pytest.mark.parametrize(
    ("arguments", "account"),
    [
        (["manage.py", "migrate", "--no-input"], "mysql://migrate@db/hawser"),
        (["manage.py", "hawser_database_grants"], "mysql://migrate@db/hawser"),
        (["manage.py", "hawser_audit", "restore-triggers"], "mysql://migrate@db/hawser"),
        (["manage.py", "hawser_audit", "verify"], "mysql://run@db/hawser"),
        (["manage.py", "hawser_monitor"], "mysql://run@db/hawser"),
        (["manage.py", "hawser_user", "migrate"], "mysql://run@db/hawser"),
        (["manage.py"], "mysql://run@db/hawser"),
        ([], "mysql://run@db/hawser"),
    ],
)
def test_account__only_commands_on_the_schema__use_the_one_that_may_change_it(
    arguments: list[str], account: str
) -> None:
    run_time = "mysql://run@db/hawser"
    assert chosen_url(arguments, run_time=run_time, schema="mysql://migrate@db/hawser") == account
    assert chosen_url(arguments, run_time=run_time, schema="") == run_time


def test_guard__triggers_gone__verify_says_so_and_restore_triggers_puts_them_back(emptied: None) -> None:
    record(actor="zoe", action="test:thing:do")
    assert guard.unguarded(connection) == []
    triggers.remove(connection)
    assert guard.unguarded(connection) == ["UPDATE", "DELETE"]
    with pytest.raises(CommandError, match="does not refuse UPDATE or DELETE of records"):
        call_command("hawser_audit", "verify")
    call_command("hawser_audit", "restore-triggers", stdout=io.StringIO())
    assert guard.unguarded(connection) == []
    call_command("hawser_audit", "verify", stdout=io.StringIO())
    assert AuditRecord.objects.filter(action="cli:audit:restore_triggers").exists()


def test_sign_head__head_that_the_console_did_not_set__accepted_with_the_finding_on_record(
    emptied: None,
) -> None:
    record(actor="zoe", action="test:thing:do")
    AuditHead.objects.update(mac="")
    assert verify()["reason"] == "head_forged"
    call_command("hawser_audit", "sign-head", "--reason", "restored by hand, INC-1", stdout=io.StringIO())
    assert verify()["ok"]
    entry = AuditRecord.objects.get(action="cli:audit:sign_head")
    assert (entry.reason, entry.facts["reason"]) == ("restored by hand, INC-1", "head_forged")
