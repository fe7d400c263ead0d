"""Which links a lost site or node touches, and in which order their operations are proposed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.incidents.digest import PlannedItem, incident_digest
from backend.core.incidents.proposal import Proposal, must_stop_at_failure, ranked
from backend.core.incidents.scope import LinkRole, LinkSides, Side, SideNode, touched_by_node, touched_by_site
from backend.core.incidents.sequence import Rules


def _side(name: str, site: str, host: str) -> Side:
    return Side(name, site, (SideNode(f"n_{name}", f"{name}-1", host),))


PAYMENTS = LinkSides("l_pay", _side("pay-a", "milan", "10.0.0.1"), _side("pay-b", "frankfurt", "10.0.1.1"))
ORDERS = LinkSides("l_ord", _side("ord-b", "frankfurt", "10.0.1.1"), _side("ord-a", "milan", "10.0.0.2"))
INSIDE = LinkSides("l_in", _side("in-a", "milan", "10.0.0.3"), _side("in-b", "milan", "10.0.0.4"))
LINKS = (PAYMENTS, ORDERS, INSIDE)
RISK = Proposal("l", "link", "failover", 5, 100.0)


def test_site__each_link_with_a_cluster_there__with_its_side_and_why() -> None:
    found = list(touched_by_site(LINKS, "milan"))
    assert [(one.link_id, one.role) for one in found] == [
        ("l_pay", LinkRole.ACTIVE),
        ("l_ord", LinkRole.STANDBY),
        ("l_in", LinkRole.BOTH),
    ]
    assert found[0].why == "The active side pay-a is at milan."
    assert found[2].why == "Both sides in-a and in-b are at milan."


@pytest.mark.parametrize("site", ["Milan", "mil", ""])
def test_site__another_name__touches_nothing(site: str) -> None:
    assert list(touched_by_site(LINKS, site)) == []


def test_node__links_of_all_clusters_with_a_node_on_its_host() -> None:
    found = list(touched_by_node(LINKS, PAYMENTS.standby.nodes[0]))
    assert [(one.link_id, one.role) for one in found] == [("l_pay", LinkRole.STANDBY), ("l_ord", LinkRole.ACTIVE)]
    assert found[1].why == "ord-b-1 of ord-b is on 10.0.1.1."


def test_ranked__most_at_risk_then_longest_outage__what_cannot_start_last() -> None:
    proposals = [
        replace(RISK, link_name="nothing to do", kind=None, at_risk=None),
        replace(RISK, link_name="refused", refused="Not proven.", at_risk=900),
        replace(RISK, link_name="few", at_risk=1),
        replace(RISK, link_name="later", outage_since_s=200.0),
        replace(RISK, link_name="earlier"),
        replace(RISK, link_name="still replicates", outage_since_s=None),
        replace(RISK, link_name="unknown", at_risk=None),
    ]
    names = [one.link_name for one in ranked(proposals)]
    assert names == ["unknown", "earlier", "later", "still replicates", "few", "refused", "nothing to do"]


def test_stop_rule__an_operation_that_gives_up_data__keeps_it_on() -> None:
    assert must_stop_at_failure(["relocate", "failover"])
    assert not must_stop_at_failure(["relocate", "switchover"])


def test_digest__order_limit_rule_loss_or_plan__each_changes_it() -> None:
    one, two = PlannedItem("l_1", "p_1", "aa", "3 transactions."), PlannedItem("l_2", "p_2", "bb", "unknown.")
    rules = Rules()
    digests = {
        incident_digest("x_1", [one, two], rules),
        incident_digest("x_2", [one, two], rules),
        incident_digest("x_1", [two, one], rules),
        incident_digest("x_1", [one], rules),
        incident_digest("x_1", [replace(one, loss="4 transactions."), two], rules),
        incident_digest("x_1", [replace(one, plan_digest="cc"), two], rules),
        incident_digest("x_1", [one, two], Rules(limit=2)),
        incident_digest("x_1", [one, two], Rules(stop_at_failure=False)),
    }
    assert len(digests) == 8
    assert incident_digest("x_1", [one, two], rules) == incident_digest("x_1", [one, two], Rules())
