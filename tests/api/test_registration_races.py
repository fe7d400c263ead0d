"""Two administrators at once, and a change against the start of a run: one wins, and the other is told."""

from __future__ import annotations

from collections.abc import Callable

from backend.clusters.models import Link, Node
from backend.operations.runs.models import Plan, Run
from tests.support.concurrently import concurrently
from tests.support.console import Answer, Caller, confirmation, make_link, store_plan

AS_ROLE = Callable[[str], Caller]
TRIES = 4


def _together(*calls: Callable[[], Answer]) -> list[Answer]:
    """The answers of calls that are made at once, in their order."""
    answers: dict[int, Answer] = {}

    def work(number: int) -> None:
        answers[number] = calls[number]()

    concurrently(*(lambda number=number: work(number) for number in range(len(calls))))
    return [answers[number] for number in range(len(calls))]


def _rename(token: str | None, path: str, name: str, version: str) -> Callable[[], Answer]:
    body = {"name": name, "reason": "race"}
    return lambda: Caller(token).call("PATCH", path, body, If_Match=version)


def _start(token: str | None, plan: Plan) -> Callable[[], Answer]:
    return lambda: Caller(token).post(f"/plans/{plan.pk}/runs", confirmation(plan))


def test_change__of_two_administrators_on_one_version__one_of_them(emptied: None, as_role: AS_ROLE) -> None:
    link, admin = make_link(), as_role("admin")
    path = f"/links/{link.pk}"
    for attempt in range(TRIES):
        version = admin.get(path).headers["ETag"]
        names = [f"{who}-{attempt}" for who in ("anna", "olaf")]
        answers = _together(*(_rename(admin.token, path, name, version) for name in names))
        stored = Link.objects.get(pk=link.pk).name
        assert [answer.status for answer in answers] == [200 if name == stored else 412 for name in names]


def test_change__while_a_run_starts__either_of_them(emptied: None, as_role: AS_ROLE) -> None:
    """Never both: a run under way whose nodes were changed after its plan."""
    for attempt in range(TRIES):
        link = make_link(f"link-{attempt}", f"127.0.{80 + attempt}")
        plan, node = store_plan(link), link.active_cluster.nodes.all()[0]
        change, start = _together(
            _rename(as_role("admin").token, f"/nodes/{node.pk}", "renamed", "*"),
            _start(as_role("operator").token, plan),
        )
        if Run.objects.filter(link=link).exists():
            assert (start.status, change.status, change.body["code"]) == (202, 409, "run_unfinished")
        else:
            # Changed before the registration is compared, or before the servers are read under their new names.
            assert (change.status, start.status) == (200, 409)
            assert start.body["code"] in ("registration_changed", "facts_changed")
        assert (Node.objects.get(pk=node.pk).name == "renamed") is (change.status == 200)
