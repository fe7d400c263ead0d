"""V6 Cryptography at rest."""

from __future__ import annotations

from typing import Final

from tests.backend.asvs.row import Row, met, not_met

ROWS: Final[tuple[Row, ...]] = (
    met(
        "V6.1.1",
        "personal data is encrypted at rest",
        "Compose's database encrypts tables, logs and temporary files with a key that lies outside of its data; "
        "`check --deploy` warns of a database that does not, and a backup is encrypted to the recipient that is named. "
        "Push addresses, which lead to a person's browser, are sealed besides.",
        "tests/deploy/test_data_at_rest.py",
        "tests/backend/config/test_data_at_rest.py",
        "tests/backend/backup/test_encryption.py",
        "tests/backend/web_push/test_messages.py::test_address__in_the_database_and_the_audit_log__not_readable",
    ),
    met(
        "V6.1.2",
        "health data is encrypted at rest",
        "The console asks for none. Rows of orphaned transactions are of your applications and may hold some: they are "
        "encrypted as V6.1.1 says.",
        "tests/deploy/test_data_at_rest.py",
        "tests/api/test_orphans.py::test_rows_of_orphans__in_plans_and_runs__for_operators_alone",
    ),
    met(
        "V6.1.3",
        "financial data is encrypted at rest",
        "As V6.1.2: rows of orphaned transactions are encrypted with all else in the database.",
        "tests/deploy/test_data_at_rest.py",
        "tests/api/test_orphans.py::test_rows_of_orphans__in_plans_and_runs__for_operators_alone",
    ),
    met(
        "V6.2.1",
        "cryptography fails securely",
        "What cannot be opened is refused without saying why; Fernet checks the MAC before it decrypts.",
        "tests/backend/common/test_security.py::test_seal__opened_for_its_row_only",
        "tests/backend/two_persons/test_authorization.py::test_claim__approval_altered__refused",
    ),
    met(
        "V6.2.2",
        "proven algorithms and libraries",
        "Fernet, HMAC-SHA-256 and Argon2id of the known libraries.",
        "tests/backend/common/test_security.py::test_seal__opened_for_its_row_only",
        "tests/backend/accounts/test_password_hashing.py::test_make_password__new_hash__takes_between_19_and_46_mib",
    ),
    met(
        "V6.2.3",
        "initialisation vectors and modes are set securely",
        "Fernet makes a random vector for each message.",
        "tests/backend/common/test_security.py::test_seal__same_text_twice__another_ciphertext",
    ),
    met(
        "V6.2.4",
        "algorithms and keys can be replaced",
        "Keys are lists; hashes of passwords are made again when the parameters change.",
        "tests/backend/common/test_security.py::test_seal__key_rotated__old_opens_until_resealed",
        "tests/backend/accounts/test_password_hashing.py::test_sign_in__old_hash__accepted_and_made_anew",
        "tests/backend/test_audit_tampering.py::test_keys__new_one_in_front__both_verify_and_the_old_one_is_missed",
    ),
    met(
        "V6.2.5",
        "no weak algorithms or modes",
        "MD5, SHA-1, DES and ECB are nowhere but where a server's protocol demands SHA-1.",
        "tests/backend/asvs/test_source.py::test_source__weak_algorithms__only_where_a_protocol_demands_them",
    ),
    met(
        "V6.2.6",
        "no nonce twice",
        "Vectors are random for each message.",
        "tests/backend/common/test_security.py::test_seal__same_text_twice__another_ciphertext",
    ),
    met(
        "V6.3.1",
        "values that must not be guessed come from a secure generator",
        "Tokens, keys and ids come from `secrets`; `random` is nowhere in the console but for waiting times.",
        "tests/backend/asvs/test_source.py::test_source__weak_algorithms__only_where_a_protocol_demands_them",
    ),
    met(
        "V6.3.2",
        "GUIDs of version 4 from a secure generator",
        "Request ids are `uuid4`; all other ids come from `secrets`.",
        "tests/backend/asvs/test_source.py::test_source__weak_algorithms__only_where_a_protocol_demands_them",
    ),
    met(
        "V6.4.1",
        "a vault for secrets",
        "Passwords of managed servers can be references into a vault, or accounts that it makes. Keys of the console "
        "and the addresses of its database and Redis can be references too; other secrets are sealed with such a key.",
        "tests/backend/config/test_own_secrets.py::test_key__by_reference__is_what_the_vault_holds_and_never_shown",
        "tests/backend/config/test_own_secrets.py::test_process__key_not_in_the_vault__does_not_start",
        "tests/backend/secret_stores/test_real_vault.py::test_kv__changed_in_the_vault__read_again",
        "tests/backend/secret_stores/test_references.py::test_vault__approle__field_read_and_other_paths_refused",
    ),
    not_met(
        "V6.4.2",
        "key material stays in the vault",
        "The console seals and signs in its own processes, with keys in their memory. No vault does that for it.",
        "tests/backend/common/test_security.py::test_seal__opened_for_its_row_only",
    ),
)
