"""Roles for a scope, teams, service accounts and limited tokens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from backend.api.event_feed import Wanted, frame_of
from backend.clusters.models import Link
from backend.common.errors import ProblemError
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.common.events.selectors import newer
from backend.common.roles import Permission, Role
from backend.identity.access.assignments import role_assign
from backend.identity.access.models import RoleAssignment
from backend.identity.accounts import protected_changes, token_services
from backend.identity.accounts import services as accounts
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.identity.accounts.second_person import why_not_second_person, why_own_account
from backend.identity.accounts.service_accounts import owner_fields
from backend.notifications.hooks.delivery import event_payload
from backend.notifications.hooks.models import Hook
from backend.notifications.web_push.messages import MessageKind, message_of
from backend.notifications.web_push.models import PushMessage, PushSubscription
from backend.notifications.web_push.queue import enqueue_events
from backend.operations.runs.held_permissions import refusing_requester, user_who_may
from backend.operations.runs.models import Run
from tests.support.console import Caller, make_caller, make_link, make_user, store_plan

pytestmark = pytest.mark.django_db
PAST = "2020-01-01T00:00:00Z"
DUPLICATE = "Duplicate entry 'alice@example.org' for key 'email'"


def _scoped(role: str, link: Link, name: str = "pia") -> tuple[User, Caller]:
    caller = make_caller(name, Role.NONE)
    user = User.objects.get(username=name)
    role_assign(actor="test", to=user, role=role, scope_kind="link", scope=link.id)
    _, secret = token_services.token_create(owner=user, label="t", role=None, expires_days=None, actor=name)
    return user, Caller(secret) if caller else caller


@pytest.fixture
def other(db: None) -> Link:
    """A link that no user is assigned to."""
    return make_link("orders", "127.0.72")


def test_lists__of_a_user_with_one_link__show_that_one(link: Link, other: Link) -> None:
    _, caller = _scoped("operator", link)
    assert [one["id"] for one in caller.get("/links").body["results"]] == [link.id]
    assert [one["id"] for one in caller.get("/fleet").body["results"]] == [link.id]
    assert {one["id"] for one in caller.get("/clusters").body["results"]} == {
        link.active_cluster_id,
        link.standby_cluster_id,
    }


def test_metrics__of_a_user_with_one_link__refused_as_they_are_of_all(link: Link, other: Link, settings: Any) -> None:
    settings.HAWSER_METRICS_PUBLIC = False
    _, caller = _scoped("operator", link)
    assert (caller.get("/metrics").status, Caller().get("/metrics").status) == (403, 401)
    assert _token(make_user("vic", Role.VIEWER))[1].get("/metrics").status == 200
    assert _token(make_user("wim", Role.VIEWER), links=[link.id])[1].get("/metrics").status == 403


def test_link__of_another_team__is_answered_like_an_unknown_one(link: Link, other: Link) -> None:
    _, caller = _scoped("operator", link)
    answer, unknown = caller.get(f"/links/{other.id}"), caller.get("/links/l_aaaaaaaaaaaa")
    assert (answer.status, unknown.status) == (404, 404)
    assert answer.body["detail"] == unknown.body["detail"]


def test_link__of_an_operator_of_it__lists_what_the_caller_may_do(link: Link, as_role: Callable[[str], Caller]) -> None:
    _, caller = _scoped("operator", link)
    assert caller.get(f"/links/{link.id}").body["permissions"] == ["lookup", "plan", "read", "run"]
    assert as_role("viewer").get(f"/links/{link.id}").body["permissions"] == ["read"]


def test_history_audit_and_events__of_another_link__are_left_out(link: Link, other: Link) -> None:
    user, caller = _scoped("viewer", link)
    for one in (link, other):
        plan = store_plan(one)
        Run.objects.create(
            plan=plan, link=one, kind="relocate", state="failed", requested_by="x", created_at=timezone.now()
        )
        events.raised(link_id=one.id, kind="link.test", severity="info", message="something")
    events.raised(link_id="", kind="console.test", severity="info", message="of all")
    for path in ("/runs", "/history"):
        assert {one["link_id"] for one in caller.get(path).body["results"]} == {link.id}, path
    assert {one["link_id"] for one in caller.get("/audit").body["results"]} == {link.id}
    assert other.id not in caller.get("/audit/export?format=jsonl").body
    wanted = Wanted(readable=user.privileges().links_with(Permission.READ))
    assert {one.link_ids for one in map(frame_of, newer(0, 100)) if wanted.includes(one)} == {frozenset({link.id})}


def _incidents_seen(wanted: Wanted) -> list[str]:
    frames = ((one, frame_of(one)) for one in newer(0, 100))
    return [one.data["incident_id"] for one, frame in frames if wanted.includes(frame)]


@pytest.mark.parametrize("role", ["viewer", "operator", "approver"])
def test_incident_events__by_role__for_who_may_read_each_of_its_links(link: Link, other: Link, role: str) -> None:
    user, _ = _scoped(role, link)
    for name, ids in (("x_own", [link.id]), ("x_other", [other.id]), ("x_both", [link.id, other.id]), ("x_old", [])):
        events.incident_updated(incident_id=name, link_ids=ids, state="running", version=2)
    assert _incidents_seen(Wanted(readable=user.privileges().links_with(Permission.READ))) == ["x_own"]
    assert _incidents_seen(Wanted(link_id=link.id)) == ["x_own"]
    everywhere = make_user("vera", role).privileges().links_with(Permission.READ)
    assert _incidents_seen(Wanted(readable=everywhere)) == ["x_own", "x_other", "x_both", "x_old"]
    nothing = make_user("nils", Role.NONE).privileges().links_with(Permission.READ)
    assert _incidents_seen(Wanted(readable=nothing)) == []


def test_push__to_a_user_with_one_link__tells_of_that_one(link: Link, other: Link) -> None:
    user, _ = _scoped("viewer", link)
    PushSubscription.objects.create(
        user=user, endpoint_digest="d", sealed="s", push_service="p", incidents=True, approvals=True, failed_runs=True
    )
    for one in (link, other):
        events.raised(link_id=one.id, kind="link.broken", severity="blocker", message=f"{one.name} is broken")
    enqueue_events(timezone.now())
    assert [message.payload["link"] for message in PushMessage.objects.all()] == [link.name]


def test_rows_in_errors__of_a_link__for_operators_of_it_alone(link: Link, other: Link) -> None:
    _, viewer = _scoped("viewer", link, "vera")
    user, operator = _scoped("operator", link)
    plan = store_plan(link)
    run = Run.objects.create(
        plan=plan, link=link, kind="relocate", state="failed", requested_by="x", created_at=timezone.now(),
        outcome=DUPLICATE,
    )  # fmt: skip
    events.raised(link_id=link.id, kind="link.test", severity="info", message=DUPLICATE)
    for path in (f"/runs/{run.id}", "/runs", f"/runs/{run.id}/report", f"/links/{link.id}/history", "/history"):
        assert "alice@example.org" not in str(viewer.get(path).body), path
        assert "alice@example.org" in str(operator.get(path).body), path
    role_assign(actor="test", to=user, role="viewer", scope_kind="link", scope=other.id)
    assert "alice@example.org" not in str(operator.get("/runs").body)
    assert "alice@example.org" in str(operator.get(f"/runs/{run.id}").body)


def test_rows_in_errors__leave_the_console__for_nobody(link: Link) -> None:
    events.raised(link_id=link.id, kind="link.broken", severity="blocker", message=DUPLICATE)
    event, hook = Event.objects.latest("id"), Hook(link=link, name="h")
    sent = event_payload(hook, link, event_id=event.pk, at="", data=event.data, link_state="broken")
    message = message_of(event, MessageKind.INCIDENT, link.name)
    assert "alice@example.org" not in str(sent)
    assert "alice@example.org" not in str(message)
    assert "Duplicate entry '***'" in sent["summary"]


def test_worker__asks_for_the_role_on_the_link_of_the_run(link: Link, other: Link) -> None:
    user, _ = _scoped("approver", link)
    mine, foreign = (
        Run(plan=store_plan(one), link=one, kind="relocate", requested_by=user.username) for one in (link, other)
    )
    assert (refusing_requester(mine), refusing_requester(foreign)) == (None, other)
    assert user_who_may(user.username, Permission.APPROVE, link.id) == user
    assert user_who_may(user.username, Permission.APPROVE, other.id) is None
    RoleAssignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refusing_requester(mine) == link


def test_cluster_of_two_links__needs_the_permission_on_both_to_change_it(link: Link) -> None:
    second = Link.objects.create(
        name="second", active_cluster=link.active_cluster, standby_cluster=make_link("x", "127.0.73").standby_cluster
    )
    user, _ = _scoped("operator", link)
    assert Permission.READ in user.privileges().on_cluster(link.active_cluster_id)
    assert Permission.RUN not in user.privileges().on_cluster(link.active_cluster_id)
    role_assign(actor="test", to=user, role="operator", scope_kind="link", scope=second.id)
    assert Permission.RUN in user.privileges().on_cluster(link.active_cluster_id)


def test_role_of_a_scope__never_includes_what_concerns_the_console(link: Link) -> None:
    user, _ = _scoped("admin", link)
    assert user.privileges().anywhere() & {Permission.USERS, Permission.LAB, Permission.AUDIT} == set()


@pytest.fixture
def in_use(admin: Caller) -> Caller:
    """An administrator of a console that is no longer being installed."""
    admin.get("/session")
    return admin


def test_assigned_role__of_an_approver__counts_after_the_waiting_time(in_use: Caller, link: Link) -> None:
    make_user("pia", Role.NONE)
    body = {"user": "pia", "role": "approver", "scope_kind": "link", "scope": link.id}
    assert in_use.post("/role-assignments", body).status == 201
    change = ProtectedChange.objects.filter(target="pia", kind="approver_assigned").first()
    assert change is not None
    assert User.objects.get(username="pia").second_person_from == change.effective_at > timezone.now()
    assert in_use.post("/role-assignments", body).body["code"] == "assignment_exists"


def test_new_member__of_a_team_of_approvers__counts_after_the_waiting_time(in_use: Caller, link: Link) -> None:
    make_user("pia", Role.NONE)
    team = in_use.post("/teams", {"name": "payments"}).body
    role = {"team": team["id"], "role": "approver", "scope_kind": "link", "scope": link.id}
    assert in_use.post("/role-assignments", role).status == 201
    assert in_use.call("PATCH", f"/teams/{team['id']}", {"members": ["pia"]}).body["members"] == ["pia"]
    assert Permission.APPROVE in User.objects.get(username="pia").privileges().on_link(link.id)
    assert ProtectedChange.objects.filter(target="pia", kind="approver_assigned").exists()


def _names(caller: Caller, path: str) -> tuple[list[str], str | None]:
    body = caller.get(path).body
    return [one["username"] for one in body["results"]], body["next"]


def test_members__paged_and_searched__each_once_by_name(in_use: Caller) -> None:
    names = [f"pia-{number:02}" for number in range(5)]
    for name in (*names, "otto"):
        make_user(name, Role.NONE)
    team = in_use.post("/teams", {"name": "payments", "members": ["otto", *names]}).body["id"]
    first, cursor = _names(in_use, f"/teams/{team}/members?search=PIA&limit=2")
    second, cursor = _names(in_use, f"/teams/{team}/members?search=PIA&limit=2&cursor={cursor}")
    third, end = _names(in_use, f"/teams/{team}/members?search=PIA&limit=2&cursor={cursor}")
    assert (first + second + third, end) == (names, None)
    assert _names(in_use, f"/teams/{team}/members")[0] == ["otto", *names]
    assert in_use.get(f"/teams/{team}/members?limit=201").status == 400
    assert in_use.get(f"/teams/{team}/members?cursor=zz").status == 400


def test_users__service_accounts_alone__by_page(in_use: Caller) -> None:
    owner = make_user("olga", Role.OPERATOR)
    for name in ("ci-1", "ci-2", "ci-3"):
        accounts.user_create(actor="test", username=name, role="viewer", password=None, service_of=owner)
    first, cursor = _names(in_use, "/users?is_service=true&limit=2")
    assert (first, _names(in_use, f"/users?is_service=true&limit=2&cursor={cursor}")) == (
        ["ci-1", "ci-2"],
        (["ci-3"], None),
    )
    people, _ = _names(in_use, "/users?is_service=false")
    assert "olga" in people
    assert not {"ci-1", "ci-2", "ci-3"} & set(people)
    assert set(_names(in_use, "/users")[0]) == {*people, "ci-1", "ci-2", "ci-3"}


def test_environment__moved_into__makes_its_approvers_wait(in_use: Caller, link: Link, other: Link) -> None:
    assert in_use.call("PUT", f"/links/{other.id}/environment", {"environment": "production"}).status == 200
    user = make_user("pia", Role.NONE)
    role_assign(actor="test", to=user, role="approver", scope_kind="environment", scope="production")
    ProtectedChange.objects.all().delete()
    assert in_use.call("PUT", f"/links/{link.id}/environment", {"environment": "production"}).status == 200
    assert Permission.APPROVE in user.privileges().on_link(link.id)
    assert ProtectedChange.objects.filter(target="pia", kind="approver_assigned").exists()
    assert in_use.get("/environments").body["results"] == [{"name": "production", "links": 2, "clusters": 0}]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"user": "pia", "role": "admin", "scope_kind": "everything"}, "role"),
        ({"user": "pia", "role": "none", "scope_kind": "everything"}, "role"),
        ({"user": "pia", "role": "viewer", "scope_kind": "link", "scope": "l_aaaaaaaaaaaa"}, "scope"),
        ({"user": "pia", "role": "viewer", "scope_kind": "environment", "scope": "nowhere"}, "scope"),
        ({"user": "pia", "role": "viewer", "scope_kind": "everything", "scope": "x"}, "scope"),
        (
            {"user": "pia", "role": "viewer", "scope_kind": "everything", "expires_at": "2020-01-01T00:00:00Z"},
            "expires_at",
        ),
        ({"role": "viewer", "scope_kind": "everything"}, "user"),
    ],
)
def test_assigned_role__that_makes_no_sense__refused_by_field(admin: Caller, body: dict[str, Any], field: str) -> None:
    make_user("pia", Role.NONE)
    answer = admin.post("/role-assignments", body)
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, field)
    assert not RoleAssignment.objects.exists()


def test_service_account__never_a_second_person_nor_its_owner_for_it(db: None) -> None:
    owner = make_user("olga", Role.APPROVER)
    service = accounts.user_create(actor="test", username="ci", role="approver", password=None, service_of=owner)
    assert _code(why_not_second_person(service, since=timezone.now())) == "service_account"
    refused = why_own_account(owner, "ci")
    assert _code(refused) == "own_account"
    assert "a service account of yours" in str(refused)
    assert why_own_account(make_user("otto", Role.APPROVER), "ci") is None


def test_service_account__password__refused(admin: Caller) -> None:
    admin.post("/users", {"username": "olga", "role": "operator"})
    created = admin.post("/users", {"username": "ci", "role": "operator", "owner": "olga"})
    assert (created.body["is_service"], created.body["owner"]) == (True, "olga")
    refused = admin.call("PATCH", "/users/ci", {"password": "correct horse battery staple"})
    assert refused.body["errors"][0]["field"] == "password"
    with pytest.raises(ProblemError):
        owner_fields(User.objects.get(username="olga"), "a password")


def test_token_of_a_service_account__created_by_an_administrator__who_cannot_approve_for_it_yet(
    in_use: Caller, signed_in: Callable[..., Caller]
) -> None:
    owner, caller = make_user("olga", Role.OPERATOR), signed_in(Role.ADMIN)
    accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=owner)
    assert in_use.post("/users/ci/tokens", {"label": "t"}).body["code"] == "token_makes_no_token"
    assert caller.post("/users/olga/tokens", {"label": "t"}).body["code"] == "not_service_account"
    assert caller.post("/users/ci/tokens", {"label": "t"}).status == 201
    assert _code(why_own_account(caller.user, "ci")) == "own_account"


def test_token_of_a_service_account__rotated_by_another_administrator__who_cannot_approve_for_it_yet(
    in_use: Caller, signed_in: Callable[..., Caller]
) -> None:
    owner, caller = make_user("olga", Role.OPERATOR), signed_in(Role.ADMIN)
    service = accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=owner)
    token, secret = token_services.token_create(owner=service, label="t", role=None, expires_days=30, actor="ci")
    assert why_own_account(caller.user, "ci") is None
    fresh = caller.post(f"/users/ci/tokens/{token.id}/rotate").body
    assert _code(why_own_account(caller.user, "ci")) == "own_account"
    assert [Caller(one).get("/links").status for one in (secret, fresh["token"])] == [401, 200]
    (change,) = protected_changes.waiting().filter(kind="operator_token_made")
    assert (change.kind, change.target, change.requested_by) == (
        "operator_token_made",
        fresh["id"],
        caller.user.username,
    )


def test_token_of_a_service_account__rotated_by_its_owner__as_before(
    in_use: Caller, signed_in: Callable[..., Caller]
) -> None:
    caller = signed_in(Role.ADMIN)
    service = accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=caller.user)
    token, secret = token_services.token_create(owner=service, label="t", role=None, expires_days=30, actor="ci")
    fresh = caller.post(f"/users/ci/tokens/{token.id}/rotate").body
    assert [Caller(one).get("/links").status for one in (secret, fresh["token"])] == [200, 200]
    assert not protected_changes.waiting().filter(kind="operator_token_made").exists()


def test_service_account__session__refused_whoever_asks(db: None, rf: RequestFactory) -> None:
    owner = make_user("olga", Role.OPERATOR)
    service = accounts.user_create(actor="test", username="ci", role="operator", password=None, service_of=owner)
    with pytest.raises(ProblemError, match="no sessions"):
        accounts.session_begin(request=rf.get("/"), user=service, method="password")


def _code(problem: ProblemError | None) -> str | None:
    return problem.code if problem is not None else None


def _token(user: User, **limits: Any) -> tuple[ApiToken, Caller]:
    from backend.identity.accounts.token_limits import TokenLimits

    token, secret = token_services.token_create(
        owner=user, label="t", role=None, expires_days=30, actor=user.username, limits=TokenLimits(**limits)
    )
    return token, Caller(secret)


def test_token__with_limits__may_only_that(link: Link, other: Link) -> None:
    user = make_user("olga", Role.OPERATOR)
    _, caller = _token(user, links=[link.id], permissions=["read"])
    assert [one["id"] for one in caller.get("/links").body["results"]] == [link.id]
    assert caller.post(f"/links/{link.id}/plans").status == 403
    assert caller.get(f"/links/{other.id}").status == 404
    assert caller.get("/destinations").status == 403


def test_token__with_ranges_of_addresses__accepted_from_these(db: None) -> None:
    user = make_user("olga", Role.VIEWER)
    assert _token(user, addresses=["127.0.0.0/8"])[1].get("/links").status == 200
    assert _token(user, addresses=["192.0.2.0/24", "::1/128"])[1].get("/links").status == 401


@pytest.mark.parametrize("text", ["everywhere", "192.0.2.1/24", "2001:db8::/129"])
def test_token__with_what_is_no_range__refused(signed_in: Callable[..., Caller], text: str) -> None:
    answer = signed_in(Role.VIEWER).post("/tokens", {"label": "t", "addresses": [text]})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "addresses")
    assert not ApiToken.objects.filter(label="t").exists()


def test_token__rotated__both_valid_until_the_overlap_ends(signed_in: Callable[..., Caller]) -> None:
    caller = signed_in(Role.VIEWER)
    old = caller.post("/tokens", {"label": "t", "permissions": ["read"]}).body
    fresh = caller.post(f"/tokens/{old['id']}/rotate", {"overlap_s": 60}).body
    assert (fresh["rotated_from"], fresh["permissions"], fresh["label"]) == (old["id"], ["read"], "t")
    assert [Caller(one["token"]).get("/links").status for one in (old, fresh)] == [200, 200]
    assert caller.post(f"/tokens/{old['id']}/rotate").body["code"] == "token_rotated"
    assert ApiToken.objects.get(pk=old["id"]).expires_at <= timezone.now() + timedelta(seconds=60)
    ApiToken.objects.filter(pk=old["id"]).update(expires_at=timezone.now())
    assert [Caller(one["token"]).get("/links").status for one in (old, fresh)] == [401, 200]
