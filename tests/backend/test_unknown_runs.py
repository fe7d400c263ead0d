"""Probes on the servers against the record in the database."""

from __future__ import annotations

import pytest

from backend.clusters.models import Link
from backend.core.checks.unknown_runs import ATTEST
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.probe import StoredProbe
from backend.operations.runs.models import Run
from backend.operations.runs.planning import facts, planner
from backend.operations.runs.planning.facts import record_finding, why_not_probed
from tests.core.builders.link_facts import context, with_variable
from tests.core.builders.link_facts import link as link_facts

STRANGE = StoredProbe("r_strange", "db-b1", "2026-11-21 12:00:00")


def test_record__probe_of_a_run_it_holds__nothing_to_say(run: Run) -> None:
    seen = {"db-a1": (StoredProbe(run.id, "db-a1", "2026-11-21 11:00:00"),)}
    assert record_finding(seen, {}) is None


def test_record__probe_of_a_run_it_lacks__refuses_until_attested(run: Run) -> None:
    seen = {"db-a1": (StoredProbe(run.id, "db-a1", "2026-11-21 11:00:00"),), "db-b1": (STRANGE,)}
    refused, attested = record_finding(seen, {}), record_finding(seen, {ATTEST: True})
    assert refused is not None
    assert refused.refuses
    assert refused.facts["runs"] == ["r_strange"]
    assert attested is not None
    assert not attested.refuses


def test_record__probes_that_cannot_be_read__warned_of_and_nothing_claimed(db: None) -> None:
    seen: dict[str, tuple[StoredProbe, ...] | str] = {"db-a1": "no such table"}
    assert record_finding(seen, {}) is None
    warned = why_not_probed(seen, {})
    assert warned is not None
    assert "db-a1" in warned.message


def test_probe__filter_of_a_new_replica_leaves_it_out__warned_of_and_not_waited_for() -> None:
    seen = with_variable(link_facts(), "b2", "replicate_do_db", "app1")
    warned = why_not_probed({}, {}, context(seen).moves)
    assert warned is not None
    assert "replicate_do_db of b2 leaves out hawser.probe" in warned.message
    passing = with_variable(link_facts(), "b2", "replicate_wild_ignore_table", "app9.%")
    assert why_not_probed({}, {}, context(passing).moves) is None


@pytest.mark.parametrize("kind", PLAN_KINDS)
def test_plan__servers_know_a_strange_run__every_kind_refused(
    link: Link, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clean above all: by an old record it would clean the channel that counts."""
    for module in (planner, facts):
        monkeypatch.setattr(module, "read_probes", lambda facts, gateway, since: {"db-b1": (STRANGE,)})
    options = {
        "configure": {"side": "active", "settings": [{"name": "gcs.fc_limit", "value": "32"}]},
        "rotate_passwords": {"side": "active"},
        "node_maintenance": {"maintenance_node": link.active_cluster.nodes.earliest("name").id},
    }
    built = planner.build_plan(link=link, kind=kind, reason="INC-1", options=options.get(kind, {}), actor="nora")
    assert "unknown_runs_found" in {finding.code for finding in built.findings if finding.refuses}
