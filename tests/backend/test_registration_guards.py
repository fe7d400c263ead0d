"""What keeps a change of the registration from harming a run, a plan, or the view of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from backend.clusters.models import Credential, CredentialRole, Link, Node
from backend.clusters.versions import check_version
from backend.common.errors import ProblemError
from backend.core.topology import ClusterFacts, NodeFacts, Reach
from backend.gateway.trials import Trial
from backend.operations.runs.models import Plan, Run
from backend.operations.runs.services.start import check_registration
from backend.registration import credentials
from backend.registration.changes import Change, check_no_run
from backend.registration.credentials import credential_replace
from backend.registration.removal import check_left
from backend.registration.retirement import link_retire
from tests.fakes.world import FakeWorld
from tests.support.console import Caller

CHANGE = Change(actor="anna", reason="test")


def _refused(error: pytest.ExceptionInfo[ProblemError]) -> str:
    return error.value.code


def test_change__run_unfinished__refused(link: Link, plan: Plan) -> None:
    Run.objects.create(
        plan=plan, link=link, unfinished_link=link.pk, kind="relocate", state="queued", created_at=plan.created_at
    )
    with pytest.raises(ProblemError) as error:
        check_no_run([link])
    assert _refused(error) == "run_unfinished"


def test_change__decided_on_an_older_version__refused(link: Link) -> None:
    check_version(link, link.version)
    with pytest.raises(ProblemError) as error:
        check_version(link, link.version + 1)
    assert _refused(error) == "version_changed"


def test_plan__of_an_older_registration__refused(link: Link, plan: Plan) -> None:
    check_registration(plan)
    Link.objects.filter(pk=link.pk).update(version=link.version + 1)
    with pytest.raises(ProblemError) as error:
        check_registration(plan)
    assert _refused(error) == "registration_changed"


def _in_view(node: NodeFacts, number: int, size: int) -> NodeFacts:
    assert node.wsrep is not None
    addresses = tuple(f"10.0.0.{one}:3306" for one in range(size))
    wsrep = replace(node.wsrep, incoming_addresses=addresses, local_index=number, cluster_size=size)
    return replace(node, wsrep=wsrep)


def _cluster(size: int, *down: int) -> ClusterFacts:
    """Three registered nodes; those that are up are members of a cluster of `size`."""
    cluster = FakeWorld().facts().active
    nodes = [
        replace(node, reach=Reach.DOWN, wsrep=None) if number in down else _in_view(node, number, size)
        for number, node in enumerate(cluster.nodes)
    ]
    return replace(cluster, nodes=tuple(nodes))


def _node(facts: ClusterFacts, number: int) -> Node:
    ref = facts.nodes[number].node
    return Node(pk=ref.id, name=ref.name, host=ref.host, port=ref.port)


def _code(facts: ClusterFacts, number: int) -> str:
    try:
        check_left(_node(facts, number), facts)
    except ProblemError as problem:
        return problem.code
    return ""


def test_node__left_its_cluster__may_be_removed() -> None:
    assert _code(_cluster(2, 2), 2) == ""


def test_node__member_of_its_cluster__stays() -> None:
    assert _code(_cluster(3), 2) == "node_is_member"


def test_node__unreachable_and_perhaps_the_third_member__stays() -> None:
    assert _code(_cluster(3, 2), 2) == "membership_unknown"


def test_node__no_other_one_responds__stays() -> None:
    assert _code(_cluster(3, 0, 1), 2) == "node_only_live"
    assert _code(_cluster(3, 0, 1, 2), 2) == "membership_unknown"


def test_link__that_needs_a_second_person__not_retired_by_one(admin: Caller, link: Link) -> None:
    admin.get("/links")  # the first administrator has used the console
    Link.objects.filter(pk=link.pk).update(requires_approval=True)
    assert link_retire(change=CHANGE, link=link).retired_at is None


def _tried(monkeypatch: pytest.MonkeyPatch, *trials: Trial) -> list[Any]:
    """Accounts that were tried, each with the one that a refused session would take; the answers are given."""
    endpoints: list[Any] = []

    def answer(accesses: Sequence[Any], _role: str, endpoint_of: Any) -> list[Trial]:
        tried = [endpoint_of(access) for access in accesses]
        endpoints.extend((one.user, one.renewed()) for one in tried)
        return list(trials)

    monkeypatch.setattr(credentials, "try_account", answer)
    return endpoints


def _replace(link: Link) -> str:
    try:
        credential_replace(
            change=CHANGE, cluster=link.active_cluster, role=CredentialRole.MONITOR, user="new", password="p2"
        )
    except ProblemError as problem:
        return problem.code
    return ""


def test_account__refused_by_one_node__the_old_one_is_used(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    _tried(monkeypatch, Trial("a1", is_reached=True), Trial("a2", is_reached=True, reasons=("access denied",)))
    assert _replace(link) == "trial_failed"
    assert Credential.objects.get(cluster=link.active_cluster, role="monitor").user == "u_monitor"


def test_account__not_tried_on_one_node__the_old_one_is_used(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    _tried(monkeypatch, Trial("a1", is_reached=True), Trial("a2", is_reached=False))
    assert _replace(link) == "nodes_not_tried"
    assert Credential.objects.get(cluster=link.active_cluster, role="monitor").user == "u_monitor"


def test_account__tried__never_replaced_by_the_stored_one(link: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that is refused takes the stored account: a trial of another one would always succeed."""
    endpoints = _tried(monkeypatch, Trial("a1", is_reached=True), Trial("a2", is_reached=True))
    assert _replace(link) == ""
    assert endpoints == [("new", None)] * 2
