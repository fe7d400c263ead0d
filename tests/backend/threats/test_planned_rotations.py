"""A plan of a rotation tells whether two stored passwords are equal, which counts as a comparison like any other."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from backend.audit.models import AuditRecord
from backend.clusters import password_comparisons
from backend.clusters.models import Credential, Link
from backend.clusters.password_comparisons import PLANNED, REPEATED
from backend.common.sealing import seal
from backend.operations.runs.planning import passwords
from tests.support.console import STORED_PASSWORDS, Answer, Caller

ROTATION = {"kind": "rotate_passwords", "reason": "ticket 4711", "options": {"side": "active", "roles": ["monitor"]}}


pytestmark = pytest.mark.usefixtures("few_comparisons")


@pytest.fixture
def few_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two within an hour, and no server is asked."""
    monkeypatch.setattr(password_comparisons, "MAX_COMPARISONS", 2)
    monkeypatch.setattr(passwords, "_seen", lambda *_: None)


def _typed(link: Link, guess: str) -> None:
    """Somebody stores a password of the active cluster whose nodes accept it; they may be that one's own."""
    row = Credential.objects.get(cluster=link.active_cluster, role="monitor")
    row.sealed = seal(guess, cluster_id=row.cluster_id, role="monitor")
    row.save()


def _planned(caller: Caller, link: Link, guess: str) -> Answer:
    _typed(link, guess)
    return caller.post(f"/links/{link.pk}/plans", ROTATION)


def _says_differs(plan: Any) -> bool:
    return any("another password" in finding["message"] for finding in plan["findings"])


def test_plan__of_a_guess__counted_and_recorded_without_its_result(admin: Caller, link: Link) -> None:
    assert _says_differs(_planned(admin, link, "guess").body)
    assert not _says_differs(_planned(admin, link, STORED_PASSWORDS["monitor"]).body)
    records = AuditRecord.objects.filter(action=PLANNED)
    assert [one.facts for one in records] == [records[0].facts] * 2
    assert records[0].facts["counted"] == sorted(
        f"{cluster.pk}/monitor" for cluster in (link.active_cluster, link.standby_cluster)
    )


def test_plan__guesses_beyond_the_limit__refused_before_the_result_is_told(
    admin: Caller, link: Link, few_comparisons: None
) -> None:
    answers = [_planned(admin, link, guess) for guess in ("a", "b", STORED_PASSWORDS["monitor"])]
    assert [one.status for one in answers] == [201, 201, 429]
    assert answers[-1].body["code"] == "too_many_comparisons"


def test_guesses__by_plans_and_by_changes__counted_together(admin: Caller, link: Link) -> None:
    for guess in "ab":
        _planned(admin, link, guess)
    body = {"name": "third", "host": "127.0.71.3", "port": 1, "passwords": STORED_PASSWORDS, "reason": "ticket 4711"}
    assert admin.call("POST", f"/clusters/{link.standby_cluster_id}/nodes", body, If_Match="*").status == 429
    assert not AuditRecord.objects.filter(action=REPEATED).exists()


def test_plan__no_account_of_that_name_on_the_other_side__nothing_is_compared(admin: Caller, link: Link) -> None:
    Credential.objects.filter(cluster=link.standby_cluster, role="monitor").update(user="another")
    assert [_planned(admin, link, guess).status for guess in "abc"] == [201, 201, 201]
    assert not AuditRecord.objects.filter(action=PLANNED).exists()


def test_plan__at_the_shell__not_counted(link: Link) -> None:
    for _ in "abc":
        given = ("--kind", "rotate_passwords", "--side", "active", "--reason", "ticket 4711")
        call_command("hawser_breakglass", "plan", link.name, *given, stdout=io.StringIO())
    assert not AuditRecord.objects.filter(action=PLANNED).exists()
