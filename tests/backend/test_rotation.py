"""What the console stores and sends of old and new passwords during a rotation."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.utils import timezone

from backend.clusters import rotation
from backend.clusters.models import Cluster, Credential, CredentialRole
from backend.clusters.selectors import account
from backend.common.errors import ProblemError
from backend.core.dialects.passwords import both_passwords, channel_password, only_password
from backend.core.plan import Step
from backend.gateway.connection.statement_filter import is_changing
from backend.gateway.own_account import parse_account
from backend.operations.runs.execution.passwords import rotation_secrets
from backend.operations.runs.models import Run
from backend.registration.credentials import check_not_rotating
from tests.support.console import make_link, store_plan

pytestmark = pytest.mark.django_db
RUN, ROLE = "r_rotating", "monitor"
OLD_HASH, NEW_HASH = "*" + "A" * 40, "*" + "B" * 40


@pytest.fixture
def cluster() -> Cluster:
    """A registered cluster."""
    return make_link().active_cluster


def prepared(cluster: Cluster) -> tuple[str, str]:
    """Old and new password, once a run has prepared the rotation."""
    rotation.rotation_prepare(run_id=RUN, role=ROLE, cluster_ids=[cluster.pk])
    _, old, new = rotation.rotation_passwords(role=ROLE, cluster_id=cluster.pk)
    return old, new


def use(cluster: Cluster, *, is_new: bool) -> bool:
    return rotation.rotation_use(run_id=RUN, role=ROLE, cluster_ids=[cluster.pk], is_new=is_new)


def used(cluster: Cluster) -> str:
    return account(cluster, CredentialRole.MONITOR)[1]


def test_prepare__twice__the_same_password_and_the_old_one_is_used(cluster: Cluster) -> None:
    old, new = prepared(cluster)
    assert prepared(cluster) == (old, new)
    assert used(cluster) == old != new
    assert len(new) >= 32


def test_use__back_and_forth__each_once(cluster: Cluster) -> None:
    old, new = prepared(cluster)
    assert [use(cluster, is_new=True), use(cluster, is_new=True)] == [True, False]
    assert used(cluster) == new
    assert rotation.rotation_passwords(role=ROLE, cluster_id=cluster.pk)[1:] == (old, new)
    assert [use(cluster, is_new=False), use(cluster, is_new=False)] == [True, False]
    assert used(cluster) == old


def test_end__before_the_new_one_is_used__nothing_is_forgotten(cluster: Cluster) -> None:
    old, new = prepared(cluster)
    rotation.rotation_end(run_id=RUN, role=ROLE, cluster_ids=[cluster.pk])
    assert rotation.rotation_passwords(role=ROLE, cluster_id=cluster.pk)[1:] == (old, new)
    use(cluster, is_new=True)
    rotation.rotation_end(run_id=RUN, role=ROLE, cluster_ids=[cluster.pk])
    assert rotation.rotation_passwords(role=ROLE, cluster_id=cluster.pk)[1:] == ("", new)


def test_secrets__old_password_is_gone__no_mark_is_filled_with_an_empty_one(cluster: Cluster) -> None:
    """An empty password would let anyone log in."""
    params = {"rotation": {"role": ROLE, "cluster_ids": [cluster.pk]}}
    step = Step(1, "drop_password", "", None, None, params=params)
    _, new = prepared(cluster)
    assert set(rotation_secrets(step)) == {"monitor_new", "monitor_old"}
    assert new not in rotation_secrets(step).values()
    use(cluster, is_new=True)
    rotation.rotation_end(run_id=RUN, role=ROLE, cluster_ids=[cluster.pk])
    assert set(rotation_secrets(step)) == {"monitor_new"}


def test_reseal__during_a_rotation__both_passwords_stay_readable(cluster: Cluster) -> None:
    before = prepared(cluster)
    call_command("hawser_reseal")
    assert rotation.rotation_passwords(role=ROLE, cluster_id=cluster.pk)[1:] == before


def test_account__stored_again_during_a_rotation__refused(cluster: Cluster) -> None:
    """The run would exchange what an administrator has just stored."""
    link = cluster.active_in.get()
    run = Run.objects.create(
        plan=store_plan(link),
        link=link,
        kind="rotate_passwords",
        state="running",
        unfinished_link=link.pk,
        created_at=timezone.now(),
    )
    Credential.objects.filter(cluster=cluster, role=ROLE).update(rotation_run=run.pk)
    with pytest.raises(ProblemError):
        check_not_rotating(Credential.objects.get(cluster=cluster, role=ROLE))
    Run.objects.filter(pk=run.pk).update(unfinished_link=None)
    check_not_rotating(Credential.objects.get(cluster=cluster, role=ROLE))


def test_filter__statements_of_a_rotation__only_in_full_and_without_a_password() -> None:
    planned = both_passwords("u", "%", ROLE), only_password("u", "10.%", ROLE, "old"), channel_password("it's")
    assert all(is_changing(sql) for sql in planned)
    for sql in (
        f"ALTER USER IF EXISTS 'u'@'%' IDENTIFIED VIA mysql_native_password USING '{OLD_HASH}'",
        "ALTER USER IF EXISTS 'u'@'%' IDENTIFIED BY 'x'",
        f"{planned[0]} REQUIRE NONE",
        planned[2].replace("START SLAVE", "RESET SLAVE"),
        planned[2].replace("{{secret:replication_new}}", "x"),
        "DROP USER 'u'@'%'",
    ):
        assert not is_changing(sql), sql


@pytest.mark.parametrize(
    ("rest", "hashes"),
    [
        (f"IDENTIFIED BY PASSWORD '{OLD_HASH}' WITH MAX_USER_CONNECTIONS 50", (OLD_HASH,)),
        (f"IDENTIFIED BY PASSWORD '{OLD_HASH}'", (OLD_HASH,)),
        (
            f"IDENTIFIED VIA mysql_native_password USING '{NEW_HASH}' OR mysql_native_password USING '{OLD_HASH}'",
            (NEW_HASH, OLD_HASH),
        ),
        ("IDENTIFIED VIA ed25519 USING 'abc'", ()),
        (f"IDENTIFIED VIA mysql_native_password USING '{NEW_HASH}' OR ed25519 USING 'x'", ()),
    ],
)
def test_own_account__as_the_server_describes_it__read_or_unknown(rest: str, hashes: tuple[str, ...]) -> None:
    found = parse_account(f"CREATE USER `u`@`%` {rest}")
    assert found is not None
    assert (found.user, found.host, found.hashes) == ("u", "%", hashes)
