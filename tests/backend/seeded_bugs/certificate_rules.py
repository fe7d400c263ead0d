"""Rules of certificates: of servers, of the console, and of channels."""

from __future__ import annotations

from tests.backend.seeded_bugs.rule import OuterRule

ON_GUIDE = "tests.api.test_guided_certificate"

CERTIFICATE_RULES = (
    OuterRule(
        "a_refused_certificate_is_told_from_a_refused_account",
        "backend.core.link_state.remedies",
        "    if node.error.startswith(TLS_REFUSED):",
        "    if False:",
        "tests.monitoring.test_link_state::"
        "test_finding__node_whose_certificate_was_refused__names_the_certificate_and_not_the_account",
        "an administrator looks for a fault of the account while the node shows a certificate of the old authority",
    ),
    OuterRule(
        "files_of_a_channel_are_unknown_on_its_new_replica",
        "backend.core.checks.channel_tls",
        "        if move.channel is None or not has_client_certificate(move.channel):",
        "        if True:",
        "tests.core.checks.test_checks::"
        "test_check_channel_files__replica_of_a_client_certificate_moves__its_files_are_told_as_unknown",
        "the old channel is removed before a user learns that the new one needs files",
    ),
    OuterRule(
        "a_channel_that_opened_no_tls_names_its_files",
        "backend.core.facts.channel_files",
        "    files = tls_files(channel) if channel.io_errno == TLS_FAILED else []",
        "    files: list[str] = []",
        "tests.core.facts.test_channel_files::test_files__of_a_channel_with_tls__told_where_no_connection_opened",
        "a run stops behind its point of no return, and only the server's words say why",
    ),
    OuterRule(
        "the_key_of_a_draft_is_sealed",
        "backend.registration.guide.client_certificate",
        'seal(f"{key}\\n", cluster_id=f"{draft.pk}.{side}", role=CLIENT_KEY)',
        'f"{key}\\n"',
        f"{ON_GUIDE}::test_draft__client_certificate__sealed_shown_without_its_key_and_used",
        "a dump of the database holds a private key in clear text",
    ),
    OuterRule(
        "the_key_of_a_draft_belongs_to_its_certificate",
        "backend.registration.guide.client_certificate",
        "    check_client(certificate, key)\n",
        "",
        f"{ON_GUIDE}::test_draft__key_of_another_certificate__refused_at_its_field",
        "the registration ends in its middle: one cluster is registered, and the other is refused",
    ),
)
