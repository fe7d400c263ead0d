"""An incident on real clusters: the site is lost, its link is planned, attested, confirmed and failed over by it.

The lab has one link, and two clusters can be joined by one only: many links are walked on simulated runs
(tests/backend/incidents).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.galera.console import Json
from tests.galera.scene import Scene
from tests.galera.sites import begin, lose_site, reprotect, restart_site, switch
from tests.support.waiting import wait_for

VARIANT = "classic"


def incident_once(scene: Scene, incident_id: str, state: str) -> Json:
    """The incident once its only item has this state."""

    def has_state() -> bool:
        return bool(scene.console.get(f"/incidents/{incident_id}")["items"][0]["state"] == state)

    wait_for(has_state, f"the item to be {state}")
    return scene.console.get(f"/incidents/{incident_id}")


@pytest.mark.whole
def test_incident__site_lost__attested_confirmed_once_and_failed_over(scene: Scene) -> None:
    begin(scene)
    lost = [name for name in scene.nodes() if name.startswith("db-a")]
    scene.stop_writes()
    scene.wait_link(lambda now: now["channels"][0]["gap_transactions"] == 0, "the standby to have everything")
    lose_site(scene, lost)
    scene.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "failover", "a failover to be offered")
    site = scene.console.link()["active_cluster"]["site"]
    opened = scene.console.call("POST", "/incidents", {"site": site}).body
    refused = incident_once(scene, opened["id"], "refused")["items"][0]
    nodes = [one["attestation"]["node_id"] for one in refused["findings"] if one["attestation"]]
    assert len(nodes) == len(lost), refused

    options = {"attest_fenced": nodes, "fence_on_return": False}
    wanted = {"items": [{"link_id": scene.console.link_id, "options": options}]}
    assert scene.console.call("POST", f"/incidents/{opened['id']}/plan", wanted).status == 200
    ready = incident_once(scene, opened["id"], "ready")
    repeated = [{"link_id": scene.console.link_id, "option": "attest_fenced", "node_id": node_id} for node_id in nodes]
    body = {"digest": ready["digest"], "confirm": ready["name"], "reason": "scenario", "attestations": repeated}
    answer = scene.console.call("POST", f"/incidents/{opened['id']}/confirm", body)
    assert answer.status == 202, answer
    ended = incident_once(scene, opened["id"], "succeeded")
    wait_for(lambda: scene.console.get(f"/incidents/{opened['id']}")["state"] == "ended", "the incident to end")
    run = scene.console.get(f"/runs/{ended['items'][0]['run_id']}")
    assert run["reason"] == f"scenario (incident {ready['name']})", run
    facts = scene.console.get(f"/incidents/{opened['id']}/report?format=json")["facts"]
    assert [one["id"] for one in facts["runs"]] == [run["id"]]

    scene.write_on(replace(scene.load, sites=("b",)))
    restart_site(scene)
    reprotect(scene)
    scene.wait_writes()
    scene.judge()
    switch(scene, "failback")
