"""Rules of a backup and its restore."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

BACKUP, MARK = "backend.config.backup", "backend.common.unfinished_restore"
ON_ARCHIVE, ON_TARGET, ON_AFTERWARDS = (
    f"tests.backend.backup.test_{name}" for name in ("archive", "target", "afterwards")
)

BACKUP_RULES = (
    OuterRule(
        "a_manifest_without_the_consoles_own_mac_is_refused",
        f"{BACKUP}.manifest",
        "if not keys.is_genuine(mac, PURPOSE, signed, key_id=key_id):",
        "if False:",
        f"{ON_ARCHIVE}::test_archive__manifest_changed_under_its_mac__is_refused",
        "an archive that another program wrote, with users of its own, is restored",
        commits=True,
    ),
    OuterRule(
        "rows_with_another_checksum_are_refused",
        f"{BACKUP}.reading",
        "if (digest.rows, digest.size, digest.sha256) != (part.rows, part.size, part.sha256):",
        "if False:",
        f"{ON_ARCHIVE}::test_archive__any_part_changed__is_refused_by_its_name",
        "damaged or exchanged rows are restored",
        commits=True,
    ),
    OuterRule(
        "an_archive_whose_keys_are_missing_is_refused",
        f"{BACKUP}.reading",
        "if missing := sorted(set(needed) - listed):",
        "if missing := []:",
        f"{ON_ARCHIVE}::test_archive__another_credentials_key__is_refused_with_the_id_of_the_missing_one",
        "a console is restored that cannot open its own passwords",
        commits=True,
    ),
    OuterRule(
        "an_archive_of_a_newer_version_is_refused",
        f"{BACKUP}.restoring",
        "if _numbers(manifest.version) > _numbers(settings.HAWSER_VERSION):",
        "if False:",
        f"{ON_ARCHIVE}::test_version__newer__is_refused_with_both_versions",
        "old code works on data that it does not know",
        commits=True,
    ),
    OuterRule(
        "only_an_empty_schema_is_restored_into",
        f"{BACKUP}.target",
        "if tables and not left_by:",
        "if False:",
        f"{ON_TARGET}::test_target__not_empty__is_refused_with_what_is_there",
        "a console in use is overwritten",
    ),
    OuterRule(
        "no_process_runs_during_a_restore",
        f"{BACKUP}.target",
        "    if found:",
        "    if False:",
        f"{ON_TARGET}::test_target__process_wrote_a_heartbeat__is_refused_with_its_name",
        "a worker claims runs of a database that is half restored",
    ),
    OuterRule(
        "no_process_starts_on_a_restore_that_is_not_finished",
        MARK,
        "    if why := refusal():",
        "    if why := '':",
        f"{ON_TARGET}::test_worker__restore_not_finished__does_not_start",
        "a worker claims runs of a database that is half restored",
    ),
    OuterRule(
        "unfinished_runs_of_a_backup_wait_for_an_operator",
        f"{BACKUP}.afterwards",
        "Run.objects.exclude(state__in=states.FINAL)",
        "Run.objects.none()",
        f"{ON_AFTERWARDS}::test_run__unfinished_in_the_backup__resumes_when_an_operator_says_so",
        "a run that ended long ago is claimed and continued",
    ),
    OuterRule(
        "a_run_that_a_restore_stopped_is_not_superseded_unobserved",
        "backend.operations.runs.states",
        " and run.facts.get(RESTORED_AT_EPOCH) != run.epoch",
        "",
        f"{ON_AFTERWARDS}::test_run__unfinished_in_the_backup__holds_its_link_until_a_worker_has_observed_it",
        "channels are moved although a run that the console does not know the end of moved them",
    ),
    OuterRule(
        "a_running_incident_of_a_backup_starts_nothing_more",
        f"{BACKUP}.afterwards",
        "    running.update(",
        "    running.none().update(",
        f"{ON_AFTERWARDS}::test_incident__running_in_the_backup__starts_nothing_more",
        "operations that were done or given up are started again",
    ),
    OuterRule(
        "automation_of_a_backup_is_off",
        f"{BACKUP}.afterwards",
        "    relocates.update(mode=Mode.OFF.value)",
        "    pass",
        f"{ON_AFTERWARDS}::test_automation__on_in_the_backup__is_off",
        "channels are moved by a console that does not know where they are",
    ),
    OuterRule(
        "messages_that_waited_in_a_backup_are_not_sent",
        f"{BACKUP}.afterwards",
        "    calls = pending.update(",
        "    calls = pending.none().update(",
        f"{ON_AFTERWARDS}::test_webhook__message_that_waited_in_the_backup__is_not_sent_but_the_restore_is_told",
        "a proxy is told of a switchover that was undone since",
    ),
    OuterRule(
        "access_of_a_backup_is_ended",
        f"{BACKUP}.afterwards",
        "        **end_all_access(),",
        '        **{"sessions_ended": 0, "tokens_revoked": 0},',
        f"{ON_AFTERWARDS}::test_access__of_the_backup__is_ended",
        "a token that was revoked since works again",
    ),
)
