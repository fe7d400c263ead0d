"""At the shell: who is there comes from the kernel, and the second person proves himself."""

from __future__ import annotations

import io
import os
import pwd
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events.models import Event
from backend.identity.accounts.installation import end_installation
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.identity.accounts.os_user import os_user
from backend.identity.accounts.persons import are_one_person, is_unknown
from backend.identity.second_factors import totp
from backend.identity.second_factors.models import Totp
from backend.identity.second_factors.verification import check_code
from backend.operations.runs.models import Approval, Run
from tests.backend.two_persons.waiting import APPROVER, REQUESTER, waiting_run
from tests.support.console import PASSWORD, Caller, approval, make_user
from tests.support.second_factors import code_of

ME = pwd.getpwuid(os.getuid()).pw_name
AT_SHELL = f"break-glass {ME}"


@pytest.fixture
def run(link: Link) -> Run:
    make_user(REQUESTER, "approver")
    make_user(APPROVER, "approver", PASSWORD)
    return waiting_run(link)


def _map(name: str, *os_users: str) -> None:
    User.objects.filter(username=name).update(os_users={one: timezone.now().isoformat() for one in os_users})


def _approve(monkeypatch: pytest.MonkeyPatch, run: Run, *way: str, typed: str = "") -> None:
    """`hawser_breakglass approve`; the walk itself ends at once: the plan's steps are of no kind."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    given = ["--digest", run.plan.digest, "--reason", "all is down"]
    try:
        call_command("hawser_breakglass", "approve", run.id, *given, *way, stdout=io.StringIO())
    except CommandError as error:
        if "ended as" not in str(error):
            raise


@pytest.mark.parametrize("name", ["LOGNAME", "USER", "LNAME", "USERNAME", "SUDO_USER", "SUDO_UID"])
def test_os_user__environment_says_another__kernel_is_believed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "u_approver")
    assert os_user() == ME


def test_approve__by_the_approvers_password__begun(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n")
    assert Approval.objects.get().approver == APPROVER
    assert Run.objects.get(pk=run.pk).epoch == 1


def test_approve__by_the_approvers_token__begun(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.support.console import make_token_for

    _approve(monkeypatch, run, "--token-stdin", typed=make_token_for(APPROVER))
    assert Approval.objects.get().approver == APPROVER


@pytest.mark.parametrize("typed", ["wrong", "", PASSWORD.upper()])
def test_approve__wrong_password__refused(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    with pytest.raises(CommandError, match="Wrong password, code or token"):
        _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=typed)
    assert Run.objects.get(pk=run.pk).state == "waiting_approval"
    refused = AuditRecord.objects.get(action="cli:run:refused_approval")
    assert (refused.actor, refused.target) == (AT_SHELL, APPROVER)


def test_approve__right_password_of_a_user_with_an_app__needs_its_code(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = _with_app()
    for code in ("", "000000x"):
        with pytest.raises(CommandError, match="Wrong password, code or token"):
            _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n{code}\n")
    assert not Approval.objects.exists()
    _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n{code_of(secret)}\n")
    assert Approval.objects.get().approver == APPROVER


def _with_app() -> str:
    user, secret = User.objects.get(username=APPROVER), totp.new_secret()
    Totp.objects.create(user=user, sealed=totp.seal(secret, user), last_step=0)
    return secret


def test_approve__too_many_codes__right_one_refused_here_and_in_the_browser(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.HAWSER_LOGIN_LIMIT, secret = 2, _with_app()
    for _ in range(2):
        with pytest.raises(CommandError, match="Wrong password, code or token"):
            _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n000000\n")
    with pytest.raises(CommandError, match="too_many_attempts"):
        _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n{code_of(secret)}\n")
    with pytest.raises(ProblemError, match="Too many wrong codes"):
        check_code(User.objects.get(username=APPROVER), code_of(secret))
    assert not Approval.objects.exists()
    refused = AuditRecord.objects.filter(action="cli:run:refused_approval")
    assert [one.facts["code"] for one in refused.order_by("pk")] == ["wrong_credentials"] * 2 + ["too_many_attempts"]
    assert AuditRecord.objects.filter(action="session:user:second_factor_failed").count() == 2


def test_approve__too_many_passwords__right_one_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.HAWSER_LOGIN_LIMIT = 2
    for _ in range(2):
        with pytest.raises(CommandError, match="Wrong password, code or token"):
            _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed="wrong\n")
    with pytest.raises(CommandError, match="too_many_attempts"):
        _approve(monkeypatch, run, "--as", APPROVER, "--password-stdin", typed=f"{PASSWORD}\n")
    assert not Approval.objects.exists()


def test_approve__by_nobody__refused(run: Run) -> None:
    with pytest.raises(CommandError, match="one of the arguments"):
        call_command("hawser_breakglass", "approve", run.id, "--digest", run.plan.digest, "--reason", "x")


def test_approve__operator_with_his_own_password__refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    make_user("oscar", "operator", PASSWORD)
    with pytest.raises(CommandError, match="only an approver or an administrator can approve"):
        _approve(monkeypatch, run, "--as", "oscar", "--password-stdin", typed=PASSWORD)


def test_approve__token_made_at_the_shell_for_the_approver__does_not_count_yet(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_installation()
    User.objects.filter(username=REQUESTER).update(role="admin")
    out = io.StringIO()
    call_command("hawser_token", APPROVER, "--label", "x", stdout=out)
    with pytest.raises(CommandError, match="not_yet_second_person"):
        _approve(monkeypatch, run, "--token-stdin", typed=out.getvalue())
    change = ProtectedChange.objects.get()
    assert (change.kind, change.target) == ("approver_token_made", ApiToken.objects.get().id)
    assert Event.objects.filter(data__kind="protected_change.announced", data__severity="warning").exists()


def test_run_asked_for_at_the_shell__nobody_knows_who_that_is__approved_by_nobody(
    link: Link, run: Run, approver: Caller
) -> None:
    Run.objects.filter(pk=run.pk).delete()
    asked = waiting_run(link, actor=AT_SHELL)
    answer = approver.post(f"/runs/{asked.id}/approve", approval(asked.plan))
    assert answer.body["code"] in ("shell_user_unmapped", "younger_than_request")
    assert is_unknown(AT_SHELL)


def test_run_asked_for_at_the_shell__by_the_approver_himself__refused(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user(APPROVER, "approver", PASSWORD)
    _map(APPROVER, ME)
    asked = waiting_run(link, actor=AT_SHELL)
    with pytest.raises(CommandError, match="own_account"):
        _approve(monkeypatch, asked, "--as", APPROVER, "--password-stdin", typed=PASSWORD)


def test_run_asked_for_at_the_shell__by_a_mapped_person__another_one_approves(
    link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user(REQUESTER, "operator")
    make_user(APPROVER, "approver", PASSWORD)
    _map(REQUESTER, ME)
    assert are_one_person(AT_SHELL, REQUESTER)
    asked = waiting_run(link, actor=AT_SHELL)
    _approve(monkeypatch, asked, "--as", APPROVER, "--password-stdin", typed=PASSWORD)
    assert Approval.objects.get().approver == APPROVER


def test_mapping__made_by_one_administrator__counts_when_another_agrees(admin: Caller, second: Caller) -> None:
    make_user("nora", "operator")
    admin.get("/links")
    assert admin.call("PATCH", "/users/nora", {"os_users": [ME]}).body["os_users"] == [ME]
    assert is_unknown(AT_SHELL)
    change = ProtectedChange.objects.get(kind="os_user_mapped")
    assert second.post(f"/protected-changes/{change.id}/confirm").status == 200
    assert are_one_person(AT_SHELL, "nora")
    taken = admin.call("PATCH", "/users/second", {"os_users": [ME]})
    assert (taken.status, taken.body["errors"][0]["field"]) == (400, "os_users")


@pytest.fixture
def second(admin: Caller) -> Caller:
    from tests.support.console import make_caller

    return make_caller("second", "admin")


def test_exception__without_a_second_person__begun_and_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _approve(monkeypatch, run, "--without-second-person")
    approval_ = Approval.objects.get()
    assert (approval_.approver, approval_.is_exception) == (AT_SHELL, True)
    assert Event.objects.filter(data__kind="run.approval_exception", data__severity="blocker").exists()


def test_access__listed_and_ended_at_the_shell(db: Any) -> None:
    from tests.support.console import SignedIn, make_token_for

    user = make_user("nora", "operator")
    page, token = SignedIn(user), Caller(make_token_for("nora"))
    out = io.StringIO()
    call_command("hawser_access", "list", "nora", stdout=out)
    assert page.sign_in.id in out.getvalue()
    assert ApiToken.objects.get().id in out.getvalue()
    call_command("hawser_access", "end", "nora", "--session", page.sign_in.id, stdout=out)
    assert (page.get("/links").status, token.get("/links").status) == (401, 200)
    call_command("hawser_access", "end", "nora", stdout=out)
    assert token.get("/links").status == 401
    with pytest.raises(CommandError, match="No such token"):
        call_command("hawser_access", "end", "nora", "--token", "t_aaaaaaaaaaaa")


def test_access__after_a_restore__all_of_it_ends(db: Any) -> None:
    from tests.support.console import SignedIn, make_token_for

    page = SignedIn(make_user("nora", "operator"))
    token = Caller(make_token_for("nora"))
    call_command("hawser_access", "end-everything", "--reason", "restored from backup", stdout=io.StringIO())
    assert (page.get("/links").status, token.get("/links").status) == (401, 401)
