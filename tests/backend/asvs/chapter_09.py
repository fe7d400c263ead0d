"""V9 Communication."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V9.1.1",
        "TLS for all clients, no fall back",
        "The proxy serves TLS alone, cookies demand it, and the command line client sends no token without.",
        "tests/deploy/test_proxy.py::test_console__through_the_proxy__answers_the_world",
        "tests/api/test_client.py::test_console__token_would_leave_unencrypted__refused_before_anything_is_sent",
    ),
    met(
        "V9.1.2",
        "only strong ciphers, the strongest first",
        "The samples name them; each weaker one is tried and refused.",
        "tests/deploy/test_proxy.py::test_tls__weak_ciphers_and_old_versions__refused_and_the_strong_ones_taken",
    ),
    met(
        "V9.1.3",
        "TLS 1.2 and 1.3 only, the newer preferred",
        "Older versions are refused, and 1.3 is what a modern client gets.",
        "tests/deploy/test_proxy.py::test_tls__weak_ciphers_and_old_versions__refused_and_the_strong_ones_taken",
    ),
    met(
        "V9.2.1",
        "only trusted certificates",
        "A certificate of another CA or name is refused: by database, Redis, receivers, mail and managed servers "
        "that are verified; modes that do not verify are warned of and can be forbidden.",
        "tests/backend/config/test_own_connections.py::test_database__not_verified__no_login_is_sent",
        "tests/backend/hooks/test_http_client.py::test_post__certificate_of_nobody_known__refused",
        "tests/backend/test_verification.py"
        "::test_registration__verified_connections_demanded__other_modes_refused_by_name",
    ),
    met(
        "V9.2.2",
        "TLS for all connections",
        "As for 1.9.1. No process starts that would reach database or Redis of another host in clear text, unless a "
        "setting says that it may; managed servers as for 9.2.1.",
        "tests/backend/config/test_production_settings.py"
        "::test_process__what_others_could_read_or_forge__does_not_start",
        "tests/backend/config/test_own_connections.py::test_check__connections_in_clear_text__named",
        "tests/deploy/test_proxy.py::test_web__called_in_clear_text_or_with_a_weak_cipher__not_reached",
        "tests/deploy/test_compose.py::test_own_service__in_clear_text__not_reached",
    ),
    met(
        "V9.2.3",
        "connections with sensitive data are authenticated",
        "No login is sent to a server that was not verified, where verification is set.",
        "tests/gateway/test_handed_over_password.py"
        "::test_login__certificate_of_another_authority_or_machine__not_even_a_name_is_sent",
        "tests/backend/hooks/messages/test_mail.py::test_mail__certificate_not_trusted_or_no_tls__password_is_kept",
        "tests/backend/audit_forwarding/test_receivers.py::test_tls__certificate_of_another_ca__nothing_is_sent",
    ),
    met(
        "V9.2.4",
        "revocation of certificates",
        "The samples staple the OCSP answer of the authority. Inside, the key of the CA is not kept: a new CA makes "
        "all certificates of before worthless at once.",
        "tests/deploy/test_proxy.py::test_certificate__of_an_authority_with_ocsp__is_shown_with_its_answer",
        "tests/deploy/test_proxy.py::test_web__certificate_of_another_authority__gets_nothing_from_the_proxy",
        "tests/api/test_metrics.py::test_certificate__of_a_node__time_until_its_end_and_absent_where_none_is_shown",
    ),
)
