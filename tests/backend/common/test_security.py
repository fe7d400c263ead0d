"""Keys, addresses, masks, and what refuses to boot."""

from __future__ import annotations

import ipaddress
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from backend.clusters.models import Credential, CredentialRole, Link
from backend.clusters.selectors import account
from backend.common.outgoing.addresses import NODES, RECEIVERS, is_host, policy_of
from backend.common.redaction import redact, redact_text
from backend.common.sealing import SealError, reseal, seal, unseal

ROOT = Path(__file__).resolve().parents[3]


def test_seal__opened_for_its_row_only() -> None:
    sealed = seal("pässword", cluster_id="c_1", role="monitor")
    assert "pässword" not in sealed
    assert unseal(sealed, cluster_id="c_1", role="monitor") == "pässword"
    for cluster_id, role in (("c_2", "monitor"), ("c_1", "operator")):
        with pytest.raises(SealError):
            unseal(sealed, cluster_id=cluster_id, role=role)


def test_seal__same_text_twice__another_ciphertext() -> None:
    assert len({seal("x", cluster_id="c", role="r") for _ in range(20)}) == 20


def test_seal__rows_swapped_in_the_database__are_refused(link: Link) -> None:
    one, two = Credential.objects.filter(role="monitor")
    one.sealed, two.sealed = two.sealed, one.sealed
    one.save()
    with pytest.raises(SealError):
        account(one.cluster, CredentialRole.MONITOR)


def test_seal__key_rotated__old_opens_until_resealed(settings: Any) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.HAWSER_CREDENTIALS_KEYS = [old]
    sealed = seal("x", cluster_id="c", role="r")
    settings.HAWSER_CREDENTIALS_KEYS = [new, old]
    moved = reseal(sealed)
    settings.HAWSER_CREDENTIALS_KEYS = [new]
    assert unseal(moved, cluster_id="c", role="r") == "x"
    with pytest.raises(SealError):
        unseal(sealed, cluster_id="c", role="r")


@pytest.mark.parametrize("host", ["db-a1", "db_a1.example.org", "10.0.0.1", "::1", "a.b.c.", "127.0.1.1"])
def test_host__proper__is_one(host: str) -> None:
    assert is_host(host)


@pytest.mark.parametrize(
    "host", ["", "a b", "-a", "a..b", "1.2.3", "0x7f.1", "2130706433", "a:3306", "ä", "a/b", "[::1]"]
)
def test_host__anything_else__is_none(host: str) -> None:
    assert not is_host(host)


NEVER = (
    *("169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd20:ce::254", "fd00:ec2::254"),
    *("::ffff:169.254.169.254", "::ffff:100.100.100.200", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    *("2002:7f00:1::1", "2002:808:808::1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::808:808"),
    *("0.1.2.3", "fec0::1", "fe80::1", "224.0.0.1", "239.1.2.3", "ff02::1", "240.0.0.1", "255.255.255.255", "::"),
)
PRIVATE = ["10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "fd00::1", "::ffff:10.1.2.3"]


def test_address__never_a_server__is_refused_even_in_the_demo() -> None:
    for address in NEVER:
        for setting in (NODES, RECEIVERS):
            assert policy_of(setting).refusal_of(ipaddress.ip_address(address)), (address, setting)


def test_address__of_the_machines_own_services__refused_although_listed(settings: Any) -> None:
    settings.HAWSER_HOOK_NETWORKS = settings.HAWSER_ALLOWED_NETWORKS = ["0.0.0.0/0", "::/0"]
    for text in (*NEVER[:8], "169.254.7.7", "fe80::1"):
        assert policy_of(NODES).refusal_of(ipaddress.ip_address(text)), text
        assert policy_of(RECEIVERS).refusal_of(ipaddress.ip_address(text)), text


def test_address__private__is_one_of_a_database_and_of_a_receiver_only_where_listed(settings: Any) -> None:
    for text in PRIVATE:
        address = ipaddress.ip_address(text)
        assert not policy_of(NODES).refusal_of(address), text
        assert "HAWSER_HOOK_NETWORKS" in policy_of(RECEIVERS).refusal_of(address), text
    settings.HAWSER_HOOK_NETWORKS = ["10.0.0.0/8", "fd00::/8"]
    assert not policy_of(RECEIVERS).refusal_of(ipaddress.ip_address("10.1.2.3"))
    assert not policy_of(RECEIVERS).refusal_of(ipaddress.ip_address("::ffff:10.1.2.3"))
    assert policy_of(RECEIVERS).refusal_of(ipaddress.ip_address("192.168.1.1"))


def test_address__public__is_one_of_both() -> None:
    for text in ("9.9.9.9", "2620:fe::fe"):
        for setting in (NODES, RECEIVERS):
            assert not policy_of(setting).refusal_of(ipaddress.ip_address(text)), text


def test_address__mapped_loopback__follows_the_policy(settings: Any) -> None:
    mapped = ipaddress.ip_address("::ffff:127.0.0.1")
    settings.HAWSER_ALLOW_LOOPBACK = True
    assert not policy_of(NODES).refusal_of(mapped)
    settings.HAWSER_ALLOW_LOOPBACK = False
    assert policy_of(NODES).refusal_of(mapped)
    settings.HAWSER_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    assert not policy_of(NODES).refusal_of(mapped)


def test_redact__sql_headers_and_nested_keys__are_masked() -> None:
    text = redact_text("CHANGE MASTER TO MASTER_USER='r', MASTER_PASSWORD='it''s \\' secret', MASTER_DELAY=0")
    assert text == "CHANGE MASTER TO MASTER_USER='r', MASTER_PASSWORD=***, MASTER_DELAY=0"
    assert redact({"a": [{"new_password": "x", "n": 1}], "Authorization": "Bearer abc"}) == {
        "a": [{"new_password": "***", "n": 1}],
        "Authorization": "***",
    }
    assert redact_text("Authorization: Bearer abc.def") == "Authorization: Bearer ***"
    assert redact_text("GET /links/l_a/lookup?text=VALUES%20(7)&xid=1") == "GET /links/l_a/lookup?text=***&xid=1"


def _boot(**env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("HAWSER_", "DJANGO_"))}
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**clean, **env},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_boot__production_without_keys__refuses_and_names_the_variable() -> None:
    ended = _boot()
    assert ended.returncode != 0
    assert "HAWSER_CREDENTIALS_KEY" in ended.stderr


def test_boot__production_with_the_demo_key__refuses() -> None:
    key = "aGF3c2VyLWRlbW8tb25seS1jcmVkZW50aWFscy1rZXk="
    assert _boot(HAWSER_CREDENTIALS_KEY=key, HAWSER_SECRET_KEY="0123456789" * 5).returncode != 0


def test_boot__production_with_keys_from_files__starts(tmp_path: Path) -> None:
    (tmp_path / "c").write_text(Fernet.generate_key().decode() + "\n")
    (tmp_path / "s").write_text("0123456789" * 6 + "\n")
    (tmp_path / "a").write_text(Fernet.generate_key().decode() + "\n")
    (tmp_path / "p").write_text(Fernet.generate_key().decode() + "\n")
    files = {
        "HAWSER_CREDENTIALS_KEY_FILE": str(tmp_path / "c"),
        "HAWSER_SECRET_KEY_FILE": str(tmp_path / "s"),
        "HAWSER_AUDIT_KEY_FILE": str(tmp_path / "a"),
        "HAWSER_PASSWORD_PEPPER_FILE": str(tmp_path / "p"),
    }
    ended = _boot(**files)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    "env",
    [
        {"HAWSER_DEMO": "maybe"},
        {"HAWSER_DATABASE_URL": "postgres://x"},
        {"HAWSER_POLL_INTERVAL_S": "soon"},
        {"HAWSER_AUDIT_HEAD_URL": "https://x"},
        {"HAWSER_AUDIT_HEAD_INTERVAL_MIN": "0"},
    ],
)
def test_boot__nonsense_in_the_environment__is_named(env: dict[str, str]) -> None:
    ended = _boot(HAWSER_DEBUG="1", **env)
    assert ended.returncode != 0
    assert next(iter(env)) in ended.stderr
