"""What a node looks like right after it was thawed or expelled, and what that must not lead to."""

from __future__ import annotations

from backend.core.checks.channels import check_channel_errors
from backend.core.findings import Severity
from backend.core.plans import remove_stray_channel
from tests.core.builders.link_facts import context, link, refusing, with_channel, with_second, with_wsrep


def test_channel_errors__galera_stopped_the_thread__warned_not_refused() -> None:
    facts = with_channel(link(), "b1", sql_running="No", sql_errno=1047, sql_error="Node has dropped from cluster")
    (finding,) = check_channel_errors(context(facts))
    assert (finding.code, finding.severity) == ("channel_stopped_by_galera", Severity.WARNING)
    assert "channel_sql_error" in refusing(context(with_channel(link(), "b1", sql_running="No", sql_errno=1062)))


def test_clean__stray_on_a_node_that_is_not_ready__refused() -> None:
    facts = with_second(link(), "b2")
    ready = remove_stray_channel.decide(context(facts), (), {})
    waiting = remove_stray_channel.decide(
        context(with_wsrep(facts, "b2", local_state=1, state="Joining", ready=False)), (), {}
    )
    assert not ready.is_refused
    assert waiting.is_refused
    assert "node_not_ready" in {finding.code for finding in waiting.findings if finding.refuses}
