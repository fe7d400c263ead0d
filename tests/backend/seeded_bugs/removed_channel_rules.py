"""Rules of what is counted before replication is ended, and of what is expected afterwards."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

LOSS, ON_LOSS = "backend.monitoring.loss", "tests.monitoring.test_loss"

REMOVED_CHANNEL_RULES = (
    OuterRule(
        "an_old_count_says_nothing_of_what_is_not_applied_now",
        LOSS,
        "    if status is None or timezone.now() - status.observed_at > COUNT_LIMIT:",
        "    if status is None:",
        f"{ON_LOSS}::test_counted_unapplied__no_monitor_polls_any_more__unknown",
        "replication is ended over a backlog that grew since a count of yesterday",
    ),
    OuterRule(
        "a_count_is_of_the_channel_that_is_removed",
        LOSS,
        'counts[direction] = shown[0]["gap_transactions"] if is_same else None',
        'counts[direction] = shown[0]["gap_transactions"] if shown else None',
        f"{ON_LOSS}::test_counted_unapplied__counted_on_another_channel__unknown",
        "replication is ended over a backlog that was counted on another node",
    ),
    OuterRule(
        "a_removed_channel_is_expected_no_more",
        "backend.operations.runs.execution.channel_records",
        "        ChannelRecord.objects.filter(link=run.link).delete()\n",
        "",
        "tests.backend.execution.test_channel_records::"
        "test_removed__all_channels_of_the_link__none_is_expected_any_more",
        "a relocate sets replication up again from the record of a channel that was removed",
    ),
)
