"""Connections that are not verified: warned of in the check and in each plan, refused where the settings say so."""

from __future__ import annotations

from typing import Any

import pytest

from backend.clusters.inspection import cluster_check
from backend.clusters.models import Cluster, Link
from backend.clusters.selectors import link_get
from backend.core.automation import required_attestations
from backend.core.findings import Finding
from backend.operations.runs.planning import planner
from tests.support.console import Caller, cluster_body

CODE = "connection_not_verified"


def _warned(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.code == CODE]


def _planned(link: Link, kind: str) -> list[Finding]:
    return _warned([*planner.build_plan(link=link, kind=kind, reason="x", options={}, actor="nora").findings])


def test_check__unverified_connections__says_what_is_at_stake(link: Link, settings: Any) -> None:
    settings.HAWSER_WARN_UNVERIFIED_TLS = True
    (warned,) = _warned(cluster_check(link.active_cluster))
    assert warned.severity == "warning"
    assert "replication password" in warned.message
    assert "verify_identity" in warned.remedy


def test_plan__unverified_connections__a_warning_for_each_side(link: Link, settings: Any) -> None:
    settings.HAWSER_WARN_UNVERIFIED_TLS = True
    Cluster.objects.filter(pk=link.standby_cluster_id).update(tls_mode="required")
    both = _planned(link_get(link.id), "remove_stray_channel")
    assert [finding.facts["tls_mode"] for finding in both] == ["disabled", "required"]
    Cluster.objects.update(tls_mode="verify_ca")
    assert _planned(link_get(link.id), "remove_stray_channel") == []


def test_plan__demo__not_warned(link: Link) -> None:
    assert _planned(link, "remove_stray_channel") == []


def test_plan__warned_of__still_runs_by_itself(link: Link, settings: Any) -> None:
    """The move does not depend on it: no attestation is required at the moment of a failover."""
    settings.HAWSER_WARN_UNVERIFIED_TLS = True
    assert required_attestations(_planned(link, "remove_stray_channel")) == ""


@pytest.mark.parametrize("mode", ["disabled", "required"])
def test_registration__unverified_mode__taken_unless_the_settings_forbid_it(admin: Caller, mode: str) -> None:
    body = cluster_body("milan", "127.0.71.1") | {"tls": {"mode": mode}}
    assert admin.post("/clusters", body).status == 201


def test_registration__verified_connections_demanded__other_modes_refused_by_name(admin: Caller, settings: Any) -> None:
    settings.HAWSER_REQUIRE_VERIFIED_TLS = True
    for mode in ("disabled", "required"):
        answer = admin.post("/clusters", cluster_body("milan", "127.0.71.1") | {"tls": {"mode": mode}})
        assert answer.status == 400
        assert [error["field"] for error in answer.body["errors"]] == ["tls.mode"]
    assert not Cluster.objects.exists()
