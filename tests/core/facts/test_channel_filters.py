"""What channels leave out by filters: said on the page and in plans, and whether a probe would pass."""

from __future__ import annotations

import pytest

from backend.core.checks.run import run_checks
from backend.core.facts.channel_filters import filter_against, filtered_channels
from backend.core.findings import Severity
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, derive
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.plans.switchover import SWITCHOVER_CHECKS
from tests.core.builders.link_facts import context, link, node_of, with_channel


def filtered(node: str, **options: str) -> LinkFacts:
    """The channel on that node has these filters, whatever the variables of the node say."""
    (channel,) = node_of(link(), node).channels or ()
    return with_channel(link(), node, options={**channel.options, **options})


def test_no_filter__nothing() -> None:
    assert list(filtered_channels(link())) == []


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        ("Replicate_Do_DB", "app1", "replicate_do_db=app1"),
        ("Replicate_Wild_Ignore_Table", "app9.%", "replicate_wild_ignore_table=app9.%"),
        ("Replicate_Rewrite_DB", "a->b", "replicate_rewrite_db=a->b"),
        ("Replicate_Ignore_Domain_Ids", "7", "IGNORE_DOMAIN_IDS=7"),
    ],
)
def test_filter_of_a_channel__on_the_page_and_in_each_plan(column: str, value: str, shown: str) -> None:
    facts = filtered("b1", **{column: value})
    found = [one for one in derive(facts, History(), 0.0).findings if one.code == "channel_filtered"]
    assert [one.severity for one in found] == [Severity.WARNING]
    assert f"channel on b1 filters: {shown}. What it leaves out never arrives at cluster-b" in found[0].message
    for checks in (RELOCATE_CHECKS, SWITCHOVER_CHECKS, FAILOVER_CHECKS):
        assert "channel_filtered" in {one.code for one in run_checks(context(facts), checks)}


@pytest.mark.parametrize(
    ("filters", "variable"),
    [
        ({}, None),
        ({"replicate_do_db": "app1,Hawser"}, None),
        ({"replicate_do_db": "app1"}, "replicate_do_db"),
        ({"replicate_ignore_db": "app1"}, None),
        ({"replicate_ignore_db": "hawser"}, "replicate_ignore_db"),
        ({"replicate_do_table": "hawser.probe"}, None),
        ({"replicate_do_table": "app1.t"}, "replicate_do_table"),
        ({"replicate_ignore_table": "hawser.probe"}, "replicate_ignore_table"),
        ({"replicate_wild_do_table": "h%.pro_e"}, None),
        ({"replicate_wild_do_table": "app1.%"}, "replicate_wild_do_table"),
        ({"replicate_wild_ignore_table": "app9.%"}, None),
        ({"replicate_wild_ignore_table": "haws_r.%"}, "replicate_wild_ignore_table"),
        ({"replicate_wild_ignore_table": "haws\\_r.%"}, None),
        ({"replicate_rewrite_db": "hawser->other"}, "replicate_rewrite_db"),
        ({"replicate_rewrite_db": "app1->app2"}, None),
        ({"replicate_do_db": "hawser", "replicate_wild_do_table": "app1.%"}, "replicate_wild_do_table"),
    ],
)
def test_probe__by_these_filters__arrives_or_not(filters: dict[str, str], variable: str | None) -> None:
    assert filter_against("hawser.probe", filters) == variable
