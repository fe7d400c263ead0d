"""What no statement can carry is refused at registration, and reported of clusters registered before that."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from backend.clusters.inspection import cluster_check
from backend.clusters.models import Credential, Link, Node
from backend.clusters.selectors import cluster_get
from backend.core.dialects.base import DialectError
from backend.core.dialects.quoting import host, plain
from backend.core.findings import Severity
from tests.support.console import Caller, cluster_body

ACCOUNTS = ("o'brien", 'x"y', "x`y\\z", "{{secret:replication}}", "x\u00a0y")


def _register(admin: Caller, path: str, value: str) -> Any:
    body = copy.deepcopy(cluster_body("milan", "127.0.71.1"))
    at: Any = body
    *parents, last = path.split(".")
    for key in parents:
        at = at[int(key) if key.isdigit() else key]
    at[last] = value
    return admin.post("/clusters", body)


def test_registration__host_that_no_statement_carries__refused_by_name(admin: Caller) -> None:
    for bad in ("db-a1-", "fe80::1%eth0", "db.a-"):
        answer = _register(admin, "nodes.0.host", bad)
        assert answer.status == 400, bad
        assert [error["field"] for error in answer.body["errors"]] == ["nodes.0.host"]


def test_registration__account_that_no_statement_carries__refused_by_name(admin: Caller) -> None:
    for role in ("monitor", "operator", "replication"):
        for bad in ACCOUNTS:
            answer = _register(admin, f"credentials.{role}.user", bad)
            assert answer.status == 400, bad
            assert [error["field"] for error in answer.body["errors"]] == [f"credentials.{role}.user"]


def test_registration__password_that_no_statement_carries__refused_by_name(admin: Caller) -> None:
    answer = _register(admin, "credentials.replication.password", "non\u00a0breaking")
    assert [error["field"] for error in answer.body["errors"]] == ["credentials.replication.password"]


@pytest.mark.parametrize("name", ["db_a1", "_db", "db-a1.", "db_a1_", "::1", "fd00::1", "10.0.0.1"])
def test_host__that_mariadb_takes__is_quoted_as_it_stands(name: str) -> None:
    """Seen on 10.11.19: CHANGE MASTER takes each of them and SHOW SLAVE STATUS gives it back unchanged."""
    assert host(name) == f"'{name}'"


def test_registration__host_with_an_underscore__taken(admin: Caller) -> None:
    assert _register(admin, "nodes.0.host", "db_a1").status == 201


def test_plain__begin_of_a_mark__refused_so_that_no_secret_is_filled_in() -> None:
    with pytest.raises(DialectError):
        plain("{{secret:replication}}", "user")


def test_cluster_check__registered_before_the_checks__reported_with_a_remedy(link: Link) -> None:
    cluster = link.active_cluster
    Node.objects.filter(cluster=cluster, ordinal=0).update(host="db-a1-")
    Credential.objects.filter(cluster=cluster, role="replication").update(user="o'brien")
    found = {finding.code: finding for finding in cluster_check(cluster_get(cluster.id))}
    assert {"host_not_usable", "account_not_usable"} <= set(found)
    for code, named in (("host_not_usable", "db-a1-"), ("account_not_usable", "o'brien")):
        assert found[code].severity is Severity.BLOCKER
        assert named in str(found[code].facts)
        assert "Register the cluster again." in found[code].remedy


def test_cluster_check__names_that_fit__nothing_reported(link: Link) -> None:
    codes = {finding.code for finding in cluster_check(link.active_cluster)}
    assert not codes & {"host_not_usable", "account_not_usable"}
