"""The demo's lab over HTTP: sites lost and started, the load's switches, and what the verdict says of lost writes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from backend.api import lab
from backend.api.models import LabVerification
from backend.audit.models import AuditRecord
from backend.clusters.models import Link
from backend.core.link_facts import Divergence
from deploy.lab.load.route import Switches
from deploy.lab.verify.judge import Verdict
from tests.api.orphan_scans import stored_scan
from tests.core.builders.orphan_worlds import book_of, insert, row
from tests.support.console import Caller

ONE, TWO = "0123456789abcdef" * 2, "fedcba9876543210" * 2


class Stub(SimpleNamespace):
    """A lab of two sites that writes down what it is reported."""

    def __init__(self) -> None:
        nodes = [SimpleNamespace(name=f"db-{site}1", site=site) for site in "ab"]
        super().__init__(nodes=nodes, switches=Switches(both_sides=False, schema_changes=False), done=[])

    def lose_site(self, site: str) -> str:
        self.done.append(f"lose {site}")
        return f"site {site} is lost"

    def start_site(self, site: str) -> list[str]:
        self.done.append(f"start {site}")
        return []

    def load_switches(self) -> Switches:
        return self.switches

    def load_switch(self, wanted: Switches) -> None:
        self.switches = wanted


@pytest.fixture
def stub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Stub:
    settings.HAWSER_DEMO = True
    made = Stub()
    monkeypatch.setattr(lab, "_lab", lambda: made)
    return made


@pytest.mark.parametrize(
    ("action", "message"), [("lose", "site a is lost"), ("start", "all nodes of site a are up")], ids=["lose", "start"]
)
def test_lab__whole_site__done_told_and_audited(operator: Caller, stub: Stub, action: str, message: str) -> None:
    answer = operator.post("/lab/sites/a", {"action": action})
    assert (answer.status, answer.body["done"], stub.done) == (202, message, [f"{action} a"])
    assert AuditRecord.objects.get(action=f"api:lab:site_{action}").target == "a"
    assert operator.post("/lab/sites/c", {"action": action}).status == 404


def test_lab__one_switch_given__the_other_stays(operator: Caller, viewer: Caller, stub: Stub) -> None:
    assert viewer.call("PATCH", "/lab/load", {"both_sides": True}).status == 403
    assert operator.call("PATCH", "/lab/load", {"both_sides": True}).body["done"] == "both sides on"
    assert stub.switches == Switches(both_sides=True, schema_changes=False)
    operator.call("PATCH", "/lab/load", {"schema_changes": True})
    assert stub.switches == Switches(both_sides=True, schema_changes=True)
    assert operator.call("PATCH", "/lab/load", {"both": True}).status == 400


def _verdict_on(lost: list[str], **more: Any) -> dict[str, Any]:
    verdict = Verdict(acknowledged=9, nodes=["db-a1", "db-b1"], **more)
    verdict.faults["lost"] = {name: ["db-a1", "db-b1"] for name in lost}
    acceptance: dict[str, Any] = lab._verdict_summary(verdict)["details"]["acceptance"]
    return acceptance


@pytest.fixture
def listed(link: Link) -> None:
    """A list of orphans with the write ONE."""
    divergence = Divergence(link.active_cluster_id, link.standby_cluster_id, None, 1.0, run_id="r_aaaaaaaaaaaa")
    stored_scan(link, divergence, book_of([[insert(row(1, ONE.encode()))]]))


def test_verdict__every_lost_write_was_a_listed_orphan__lost_only_what_was_accepted(listed: None) -> None:
    reported = _verdict_on([ONE])
    assert reported["is_all"] is True
    assert reported["sentence"].startswith("Only accepted writes were lost: all 1 ")


def test_verdict__a_lost_write_that_nobody_listed__not_taken_for_accepted(listed: None) -> None:
    reported = _verdict_on([ONE, TWO])
    assert (reported["is_all"], reported["sentence"][:22]) == (False, "1 of the 2 lost writes")


def test_verdict__accepted_loss_beside_another_fault__not_as_accepted(listed: None) -> None:
    assert _verdict_on([ONE], unsettled=["db-b2 did not get what site a wrote"])["is_all"] is False
    assert _verdict_on([ONE], wrong_balances={"db-a1": ["a1-x-0"]})["is_all"] is False


def test_verdict__read_back__says_what_it_said(operator: Caller, stub: Stub, listed: None) -> None:
    details = {"acceptance": _verdict_on([ONE])}
    LabVerification.objects.create(state="done", summary="lost 1", is_clean=False, details=details)
    shown = operator.get("/lab/verify").body
    assert (shown["clean"], shown["lost_only_as_accepted"]) == (False, True)
    assert shown["acceptance"].startswith("Only accepted writes were lost")
