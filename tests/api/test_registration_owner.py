"""Whose a guided registration is, and that a password goes nowhere but where its user saw that it goes."""

from __future__ import annotations

from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.clusters.models import Cluster
from backend.common.events.models import Event
from backend.registration.guide import accounts, discovery
from backend.registration.guide.drafts import draft_update
from backend.registration.models import DraftCredential, RegistrationDraft
from tests.api.guided import Guide, RecordedServers, servers
from tests.support.certificates import authority
from tests.support.console import CANARY, Answer, Caller, make_caller

__all__ = ["servers"]
CA = authority("Site CA")
CLIENT = CA.signs("hawser")
ROLES = ("monitor", "operator", "replication")
ENTERED = {role: {"user": f"my_{role}", "password": CANARY} for role in ROLES}
ELSEWHERE: dict[str, dict[str, Any]] = {
    "host": {"host": "127.92.0.1"},
    "port": {"port": 3307},
    "administrator": {"administrator": "root"},
    "nodes": {"nodes": [{"name": "x", "host": "127.92.0.1"}]},
    "mode": {"tls": {"mode": "disabled"}},
    "authority": {"tls": {"ca": CA.cert}},
    "client certificate": {"tls": {"cert": CLIENT.cert, "private_key": CLIENT.key}},
}
"""What can be changed of where a password goes, by its name."""


@pytest.fixture
def other(db: None) -> Caller:
    """Another administrator."""
    return make_caller("otto", "admin")


def _refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.body["code"] if answer.status >= 400 else ""


def _steps(guide: Guide) -> list[Answer]:
    """Each call that carries a password, or has a stored one sent."""
    return [
        guide.discover(),
        guide.create(),
        guide.step("accounts", "PUT", side="first", accounts=ENTERED),
        guide.step("check", side="first"),
        guide.step("register", accept_open=True),
    ]


def _of(guide: Guide, caller: Caller) -> Guide:
    """The same registration in another's hands, who read it just now."""
    made = Guide.__new__(Guide)
    made.caller, made.id = caller, guide.id
    made.body = caller.get(f"/registrations/{guide.id}").body
    return made


def test_draft__of_another__seen_and_neither_changed_nor_used(
    admin: Caller, other: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    guide.all_steps()
    done, foreign = (len(servers.logins), len(servers.sent)), _of(guide, other)
    assert foreign.body == admin.get(f"/registrations/{guide.id}").body
    answers = [foreign.step("", "PATCH", first={"host": "127.92.0.1"}), *_steps(foreign), foreign.step("", "DELETE")]
    assert {_refusal(answer) for answer in answers} == {(409, "registration_of_another")}
    assert (len(servers.logins), len(servers.sent)) == done
    assert admin.get(f"/registrations/{guide.id}").body == guide.body
    assert not Cluster.objects.exists()


@pytest.mark.parametrize("what", ELSEWHERE)
def test_password__draft_leads_elsewhere_by_now__refused_and_sent_nowhere(
    admin: Caller, servers: RecordedServers, what: str
) -> None:
    guide = Guide(admin)
    for side in ("first", "second"):
        guide.discover(side)
    guide.step("accounts", "PUT", side="first", accounts=ENTERED)
    done = len(servers.logins)
    window = _of(guide, admin)
    assert window.step("", "PATCH", first=ELSEWHERE[what]).status == 200, window.body
    assert {_refusal(answer) for answer in _steps(guide)} == {(409, "endpoints_changed")}
    assert (len(servers.logins), servers.sent) == (done, [])
    assert not Cluster.objects.exists()


def test_draft__changed_in_another_window_since_it_was_read__not_changed_by_this_one(
    admin: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    _of(guide, admin).step("", "PATCH", first=ELSEWHERE["host"])
    assert _refusal(guide.step("", "PATCH", first={"site": "c"})) == (409, "endpoints_changed")
    assert admin.get(f"/registrations/{guide.id}").body["first"]["site"] == "a"


def test_discover__taken_over_meanwhile__nothing_is_stored(
    admin: Caller, other: Caller, servers: RecordedServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Guide(admin)

    def discover(*given: Any) -> Any:
        assert other.post(f"/registrations/{guide.id}/takeover", {}).status == 200
        return servers.discover(*given)

    monkeypatch.setattr(discovery, "discover", discover)
    assert _refusal(guide.discover()) == (409, "registration_of_another")
    assert other.get(f"/registrations/{guide.id}").body["first"]["discovered"] is None


def test_accounts__draft_leads_elsewhere_once_they_are_created__recorded_and_not_of_the_other_server(
    admin: Caller, servers: RecordedServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = Guide(admin)
    guide.discover()

    def create(*given: Any) -> Any:
        owner = RegistrationDraft.objects.get(pk=guide.id).owner
        draft_update(actor=owner, draft_id=guide.id, given={"first": ELSEWHERE["host"]})
        return servers.create_accounts(*given)

    monkeypatch.setattr(accounts, "create_accounts", create)
    assert guide.create().body["first"]["statements"]["state"] == ""
    assert AuditRecord.objects.filter(action="api:registration:create_accounts", target=guide.id).exists()


@pytest.mark.parametrize("what", ["nodes", "mode", "authority"])
def test_passwords__stored_and_the_draft_leads_elsewhere_then__forgotten(
    admin: Caller, servers: RecordedServers, what: str
) -> None:
    guide = Guide(admin)
    guide.discover()
    assert guide.step("accounts", "PUT", side="first", accounts=ENTERED).status == 200
    assert DraftCredential.objects.filter(role__in=ROLES).count() == len(ROLES)
    assert guide.step("", "PATCH", first=ELSEWHERE[what]).status == 200
    assert not DraftCredential.objects.filter(role__in=ROLES).exists()


def test_takeover__stored_passwords__forgotten(admin: Caller, other: Caller, servers: RecordedServers) -> None:
    guide = Guide(admin)
    guide.discover()
    assert guide.step("accounts", "PUT", side="first", accounts=ENTERED).status == 200
    before = len(servers.logins)
    taken = _of(guide, other)
    assert taken.step("takeover").status == 200
    assert not DraftCredential.objects.exists()
    taken.step("check", side="first")
    assert len(servers.logins) == before


def test_takeover__recorded_told_and_in_one_hand_afterwards(
    admin: Caller, other: Caller, servers: RecordedServers
) -> None:
    guide = Guide(admin)
    before = guide.body["owner"]
    assert guide.step("takeover").body["owner"] == before
    taken = _of(guide, other)
    assert taken.step("takeover").body["owner"] == "otto"
    record = AuditRecord.objects.get(action="api:registration:take_over")
    assert (record.actor, record.target, record.facts) == ("otto", guide.id, {"owner": before})
    told = [one.data["message"] for one in Event.objects.filter(data__kind="registration.taken_over")]
    assert [one.partition(". ")[0] for one in told] == [
        f"otto took over the guided registration of payments from {before}"
    ]
    assert {_refusal(answer) for answer in _steps(guide)} == {(409, "registration_of_another")}
    assert servers.logins == []
    taken.all_steps()
    assert taken.step("register").status == 200
    assert not DraftCredential.objects.exists()
