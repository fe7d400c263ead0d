"""Commands that work without the web."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.apps import apps
from django.conf import settings as configured
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.management.commands.hawser_reseal import SEALED
from backend.clusters.models import CredentialRole, Link
from backend.clusters.selectors import account
from backend.common.heartbeats import record_heartbeat
from backend.common.models import ProcessHeartbeat
from backend.common.sealing import SealError
from backend.identity.accounts.models import ApiToken, User
from backend.operations.runs import services
from backend.operations.runs.execution.broker_watchdog import PROCESS
from backend.operations.runs.models import Plan, Run, RunState
from tests.support.console import PASSWORD, Caller, confirmation, make_user

ROOT = Path(__file__).resolve().parents[2]


def _run(tmp_path: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HAWSER_DEBUG": "1", "HAWSER_DATABASE_URL": f"sqlite:///{tmp_path / 'c.sqlite3'}"}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, input=stdin, capture_output=True, text=True, timeout=200, check=False
    )


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_commands__fresh_database__user_from_stdin_and_token_alone_on_stdout(tmp_path: Path) -> None:
    assert _run(tmp_path, "migrate", "-v0").returncode == 0
    made = _run(tmp_path, "hawser_user", "nora", "--role", "operator", "--password-stdin", stdin=PASSWORD + "\n")
    assert made.stdout.strip() == "created nora as operator"
    token = _run(tmp_path, "hawser_token", "nora", "--label", "ci", "--expires", "7")
    assert token.returncode == 0
    assert token.stdout.count("\n") == 1
    assert len(token.stdout.strip()) > 40
    unknown = _run(tmp_path, "hawser_token", "unknown", "--label", "x")
    assert unknown.returncode != 0
    assert "no user named unknown" in unknown.stderr
    assert _run(tmp_path, "hawser_audit", "verify").stdout.startswith("ok: 3 records")


def test_hawser_user__again__changes_the_role(db: None) -> None:
    call_command("hawser_user", "nora", "--role", "viewer", stdout=io.StringIO())
    call_command("hawser_user", "nora", "--role", "approver", stdout=io.StringIO())
    assert User.objects.get().role == "approver"
    actions = list(AuditRecord.objects.order_by("seq").values_list("action", flat=True))
    assert actions == ["console:audit:open", "cli:user:create", "cli:user:update"]


def test_hawser_token__role_above_the_owner__refused(db: None) -> None:
    call_command("hawser_user", "nora", "--role", "viewer", stdout=io.StringIO())
    with pytest.raises(CommandError, match=r"higher role than yours \(viewer\)"):
        call_command("hawser_token", "nora", "--label", "x", "--role", "admin")
    with pytest.raises(CommandError, match="days"):
        call_command("hawser_token", "nora", "--label", "x", "--expires", "0")


def test_hawser_token__for_an_address__accepted_from_there_alone(db: None) -> None:
    call_command("hawser_user", "nora", "--role", "viewer", stdout=io.StringIO())
    call_command("hawser_token", "nora", "--label", "x", "--address", "192.0.2.0/24", stdout=io.StringIO())
    assert ApiToken.objects.get().addresses == ["192.0.2.0/24"]


def test_hawser_token__made__works(db: None) -> None:
    out = io.StringIO()
    call_command("hawser_user", "nora", "--role", "viewer", stdout=io.StringIO())
    call_command("hawser_token", "nora", "--label", "x", stdout=out)
    assert Caller(out.getvalue().strip()).get("/session").body["username"] == "nora"


def test_hawser_reseal__key_rotated__old_key_can_go(link: Link, settings: Any) -> None:
    fresh = Fernet.generate_key().decode()
    old = list(configured.HAWSER_CREDENTIALS_KEYS)
    settings.HAWSER_CREDENTIALS_KEYS = [fresh]
    with pytest.raises(SealError):
        account(link.active_cluster, CredentialRole.MONITOR)
    settings.HAWSER_CREDENTIALS_KEYS = [fresh, *old]
    call_command("hawser_reseal", stdout=io.StringIO())
    settings.HAWSER_CREDENTIALS_KEYS = [fresh]
    assert account(link.active_cluster, CredentialRole.MONITOR) == ("u_monitor", "p")
    assert AuditRecord.objects.get(action="cli:credentials:reseal").facts == {"count": 6}


def test_hawser_worker_alive__by_the_sign_of_life_of_this_host_alone(db: None) -> None:
    ProcessHeartbeat.objects.create(kind=PROCESS, instance="elsewhere:1", seen_at=timezone.now())
    with pytest.raises(CommandError, match="has ever written a heartbeat"):
        call_command("hawser_worker_alive")
    record_heartbeat(PROCESS)
    call_command("hawser_worker_alive", stdout=io.StringIO())
    ProcessHeartbeat.objects.update(seen_at=timezone.now() - timedelta(seconds=50))
    with pytest.raises(CommandError, match="is 50 s old"):
        call_command("hawser_worker_alive")


def _broken_glass(*arguments: str) -> str:
    """What `hawser_breakglass plan payments` prints."""
    output = io.StringIO()
    call_command("hawser_breakglass", "plan", "payments", "--reason", "all is down", *arguments, stdout=output)
    return output.getvalue()


@pytest.mark.parametrize(
    "kind", ["relocate", "remove_stray_channel", "switchover", "failover", "reprotect", "failback", "accept_state_uuid"]
)
def test_breakglass__every_kind__planned_and_printed(link: Link, kind: str) -> None:
    assert f"({kind}, refused)" in _broken_glass("--kind", kind)


def test_breakglass__plan_without_a_reason__kept_without_one(link: Link) -> None:
    call_command("hawser_breakglass", "plan", "payments", stdout=io.StringIO())
    assert Plan.objects.get().reason == ""


def test_breakglass__run_without_a_reason__refused(plan: Plan) -> None:
    with pytest.raises(CommandError, match="--reason"):
        call_command("hawser_breakglass", "run", plan.id, "--digest", plan.digest, "--confirm", plan.link.name)
    assert not Run.objects.exists()


def test_breakglass__options__as_the_api_takes_them(link: Link) -> None:
    a1 = next(node for node in link.active_cluster.nodes.all())
    _broken_glass(
        "--kind", "reprotect", "--attest-fenced", a1.name, "--accept-loss", "--attest-unknown-runs", "--no-probe",
        "--orphans", "rebuild", "--backup-position", "binlog.000004\t1337",
    )  # fmt: skip
    assert Plan.objects.get().options == {
        "attest_fenced": [a1.id],
        "accept_loss": True,
        "attest_unknown_runs": True,
        "probe": False,
        "orphans": "rebuild",
        "backup_position": "binlog.000004 1337",
    }


def test_breakglass__an_option_that_means_nothing__refused_by_its_name(link: Link) -> None:
    with pytest.raises(CommandError, match="--backup-position"):
        _broken_glass("--kind", "reprotect", "--orphans", "rebuild", "--backup-position", "x" * 400)
    assert not Plan.objects.exists()


def _decided(verb: str, run: Run) -> str:
    """What `hawser_breakglass VERB` prints."""
    output = io.StringIO()
    call_command("hawser_breakglass", verb, run.id, "--reason", "all is down", stdout=output)
    return output.getvalue()


@pytest.fixture
def queued(plan: Plan) -> Run:
    """A run no worker carries."""
    make_user("nora", "operator")
    return services.run_start(actor="nora", plan=plan, **confirmation(plan))


def test_breakglass__abort_of_a_run_nobody_began__aborted_and_nothing_sent(queued: Run) -> None:
    assert "aborted: Aborted by break-glass" in _decided("abort", queued)
    with pytest.raises(CommandError, match="abort_refused"):
        _decided("abort", queued)


def test_breakglass__resume_of_a_stopped_run__carried_on_in_this_process(queued: Run) -> None:
    with pytest.raises(CommandError, match="wrong_state"):
        _decided("resume", queued)
    Run.objects.filter(pk=queued.pk).update(state=RunState.NEEDS_OPERATOR)
    with pytest.raises(CommandError, match=f"Run {queued.id} ended as needs_operator"):  # its steps are of no kind
        _decided("resume", queued)
    assert Run.objects.get(pk=queued.pk).epoch == queued.epoch + 1


def test_hawser_reseal__every_sealed_field__is_listed() -> None:
    """A field that is left out cannot be opened once the old key was removed."""
    fields = {
        (model._meta.label, field.name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if "sealed" in field.name
    }
    assert fields == {(name, field) for name, names in SEALED.items() for field in names if "sealed" in field}
