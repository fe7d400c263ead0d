"""A console under test: callers of every role over HTTP, and an inventory whose nodes are dead ends.

Nothing is patched. Ports 1 of loopback addresses refuse at once, so that code which asks servers
runs for real and finds them down.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.utils import timezone

from backend.clusters import services as clusters
from backend.clusters.client_key import wanted_tls
from backend.clusters.models import Cluster, Link
from backend.clusters.versions import registered_versions
from backend.common.roles import Role
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step, digest_of
from backend.identity.accounts import services as accounts
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.session_store import stored_key
from backend.monitoring.link_gateway import gateway_for_link
from backend.operations.runs.execution.authorization import authorization_of
from backend.operations.runs.models import Plan, PlanState, Run

PASSWORD = "correct horse battery staple"
API = "/api/v1"
PLAIN = "p"
STORED_PASSWORDS = dict.fromkeys(("monitor", "operator", "replication"), PLAIN)
"""Of the clusters that `cluster_body` registers."""
CANARY = "canary-Zx81-secret"


@dataclass
class Answer:
    """What returned."""

    status: int
    body: Any
    headers: Mapping[str, str]


class Caller:
    """A client calling the API with a bearer token (or with none)."""

    def __init__(self, token: str | None = None, **options: Any) -> None:
        self.token = token
        self.client = Client(raise_request_exception=False, **options)

    def call(self, method: str, path: str, data: Any = None, **headers: str) -> Answer:
        """One call; `path` is below /api/v1 unless it starts with it."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent["Authorization"] = f"Bearer {self.token}"
        body = data if isinstance(data, bytes | str) else json.dumps(data)
        answer = self.client.generic(
            method,
            path if path.startswith("/api") or not path.startswith("/") else API + path,
            b"" if data is None else body,
            content_type=sent.pop("Content-Type", "application/json"),
            headers=sent,
        )
        raw = b"".join(answer) if answer.streaming else answer.content
        is_json = "json" in answer.headers.get("Content-Type", "") and "jsonl" not in answer.headers["Content-Type"]
        return Answer(answer.status_code, json.loads(raw) if is_json and raw else raw.decode(), answer.headers)

    def get(self, path: str, **headers: str) -> Answer:
        """GET."""
        return self.call("GET", path, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> Answer:
        """POST; without data an empty object."""
        return self.call("POST", path, {} if data is None else data, **headers)


class SignedIn(Caller):
    """A user in a browser's session, signed in without the slow look at a password."""

    def __init__(self, user: User, **options: Any) -> None:
        super().__init__(**options)
        self.user = user
        self.client.force_login(user)
        self.sign_in = SignIn.objects.create(user=user, session_key=stored_key(self.client.session.session_key))


def make_user(name: str, role: Role | str, password: str | None = None) -> User:
    """A user; without a password (whose hash is slow by intent) it acts through tokens only."""
    return accounts.user_create(actor="test", username=name, role=str(role), password=password)


def make_caller(name: str, role: Role | str) -> Caller:
    """A user of that role, calling with a token."""
    user = make_user(name, role)
    _, secret = token_services.token_create(owner=user, label="test", role=None, expires_days=None, actor="test")
    return Caller(secret)


def cluster_body(name: str, *hosts: str, secret: str = PLAIN, port: int = 1) -> dict[str, Any]:
    """A registration whose nodes do not exist."""
    return {
        "name": name,
        "site": f"site {name}",
        "nodes": [{"name": f"{name}{i}", "host": host, "port": port} for i, host in enumerate(hosts, 1)],
        "credentials": {role: {"user": f"u_{role}", "password": secret} for role in STORED_PASSWORDS},
        "tls": {"mode": "disabled"},
    }


def make_link(name: str = "payments", net: str = "127.0.71", *, requires_approval: bool = False) -> Link:
    """Two clusters of two dead nodes each, linked: their rows, without the questions and records of a registration."""
    active, standby = (
        _inserted(cluster_body(f"{name}-{side}", f"{net}.{n}", f"{net}.{n + 1}")) for side, n in (("a", 1), ("b", 11))
    )
    return Link.objects.create(
        name=name,
        active_cluster=active,
        standby_cluster=standby,
        home_cluster=active,
        requires_approval=requires_approval,
    )


def _inserted(body: dict[str, Any]) -> Cluster:
    return clusters._insert(**{**body, "tls": wanted_tls(body["tls"])})


def core_plan(link: Link, *, steps: int = 3, blocked: bool = False, age_s: float = 0.0) -> CorePlan:
    """A plan over the link as it stands (all nodes down), so that its facts do not change automatically."""
    gateway = gateway_for_link(link)
    try:
        facts = gateway.observe_link()
    finally:
        gateway.close()
    pair = (facts.active.nodes[1].node, facts.standby.nodes[1].node)
    return CorePlan(
        kind="relocate",
        link_id=link.id,
        link_name=link.name,
        created_at_s=timezone.now().timestamp() - age_s,
        summary=f"Relocate {link.name}",
        findings=(Finding("looks", Severity.BLOCKER if blocked else Severity.OK, "As far as seen.", "", {"n": 1}),),
        positions=(),
        loss={"transactions": 0, "seconds": 0, "detail": "Nothing."},
        steps=tuple(
            Step(
                index=i,
                code=f"step_{i}",
                title=f"Step {i}",
                node_id=pair[i % 2].id,
                node=pair[i % 2].name,
                sql=(f"CHANGE MASTER TO MASTER_PASSWORD={{{{secret:replication}}}}, MASTER_DELAY={i}",),
                point_of_no_return=i == 1,
            )
            for i in range(0 if blocked else steps)
        ),
        fingerprint=fingerprint(facts, [node.id for node in pair]),
        target={
            "source_node": pair[0].id,
            "source_name": pair[0].name,
            "replica_node": pair[1].id,
            "replica_name": pair[1].name,
        },
        options={},
    )


def set_approval_rule(caller: Caller, link_id: str, *, is_on: bool, **headers: str) -> Answer:
    """Ask that runs of the link need a second person, or no longer do; plans that exist are as if made afterwards."""
    body = {"requires_approval": is_on, "reason": "test"}
    answer = caller.call("PATCH", f"/links/{link_id}", body, If_Match="*", **headers)
    for plan in Plan.objects.filter(link=link_id):
        Plan.objects.filter(pk=plan.pk).update(registered_versions=registered_versions(plan.link))
    return answer


def store_plan(link: Link, core: CorePlan | None = None, *, created_by: str = "planner") -> Plan:
    """The plan as `plan_create` would store it."""
    from datetime import UTC, datetime

    built = core or core_plan(link)
    return Plan.objects.create(
        link=link,
        kind=built.kind,
        state=(PlanState.REFUSED if built.is_refused else PlanState.READY).value,
        reason="test",
        body=built.to_json(),
        registered_versions=registered_versions(link),
        digest=built.digest,
        created_by=created_by,
        created_at=datetime.fromtimestamp(built.created_at_s, UTC),
        expires_at=datetime.fromtimestamp(built.expires_at_s, UTC),
    )


def release_altered(plan: Plan) -> None:
    """Store an altered plan as if the console had made it so: with its digest, and its run released for it."""
    plan.digest = digest_of(plan.body)
    plan.save()
    run = Run.objects.select_related("plan").get(plan=plan)
    Run.objects.filter(pk=run.pk).update(authorization=authorization_of(run, epoch=run.epoch))


def approval(plan: Plan, comment: str = "read and agreed") -> dict[str, str]:
    """The body that approves a run of the plan."""
    return {"digest": plan.digest, "comment": comment}


def confirmation(plan: Plan) -> dict[str, str]:
    """The body that runs a plan."""
    return {"digest": plan.digest, "confirm": plan.link.name, "reason": "because of the test"}


def make_token_for(name: str) -> str:
    """A token of a user there is."""
    return new_token(name)[1]


def new_token(name: str) -> tuple[ApiToken, str]:
    """A token of a user there is, and its secret."""
    owner = User.objects.get(username=name)
    return token_services.token_create(owner=owner, label="t", role=None, expires_days=1, actor="test")
