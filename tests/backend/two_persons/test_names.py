"""Names, and who is behind them: the short form of what the other modules show in full."""

from __future__ import annotations

import os
import pwd
from datetime import timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.identity.accounts.authentication import is_still_authenticated
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.names import skeleton
from backend.identity.accounts.os_user import os_user
from backend.operations.runs import services
from tests.backend.two_persons.waiting import APPROVER, waiting_run
from tests.support.console import SignedIn, approval, make_user


@pytest.mark.parametrize(
    ("one", "other"), [("admin", "ADMIN"), ("anna", "Anna"), ("alice", "a1ice"), ("bob", "b0b"), ("kern", "kem")]
)
def test_skeleton__names_that_look_alike__are_one(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_skeleton__other_names__are_others() -> None:
    assert len({skeleton(name) for name in ("anna", "hanna", "olaf", "vera", "admin", "op-1", "op-2")}) == 7


def test_user__name_that_looks_like_another__refused_by_name(db: None) -> None:
    make_user("eve-lina", "viewer")
    with pytest.raises(ProblemError, match="mistaken for the user eve-lina"):
        make_user("eve_1ina", "approver")


def test_os_user__environment_says_another__kernel_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "u_approver")
    assert os_user() == pwd.getpwuid(os.getuid()).pw_name


def test_run_asked_for_by_an_unknown_shell_user__approved_by_nobody(link: Link) -> None:
    approver = make_user(APPROVER, "approver")
    run = waiting_run(link, actor="break-glass root")
    with pytest.raises(ProblemError, match="no user is mapped"):
        services.run_approve(user=approver, run=run, **approval(run.plan))


def test_still_authenticated__ended_in_any_way__no(db: None) -> None:
    user = make_user("nora", "operator")
    page, key = SignedIn(user), user.privileges().key
    assert is_still_authenticated(user, page.sign_in, key)
    User.objects.update(role="viewer")
    assert not is_still_authenticated(user, page.sign_in, key)
    User.objects.update(role="operator", is_active=False)
    assert not is_still_authenticated(user, page.sign_in, key)
    User.objects.update(is_active=True)
    SignIn.objects.update(ended_at=timezone.now())
    assert not is_still_authenticated(user, page.sign_in, key)
    token = ApiToken(user=user, label="x", role="operator", digest="d", expires_at=timezone.now() - timedelta(1))
    token.save()
    assert not is_still_authenticated(user, token, key)
