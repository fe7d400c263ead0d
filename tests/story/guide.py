"""The guided registration as an incident tool calls it: one host name of each cluster and an administrator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.galera.console import Console, Json

SIDES = {"first": ("milan", "Milan"), "second": ("frankfurt", "Frankfurt")}
"""Name and site of each cluster; the first one is active. The lab's load knows the clusters by these names."""


class Guide:
    """A draft, step by step."""

    def __init__(self, console: Console, administrator: Json) -> None:
        self._console, self._password = console, administrator["password"]
        ca = Path(administrator["ca"]).read_text()
        sides = {
            side: {
                "name": name,
                "site": site,
                "host": node["host"],
                "administrator": administrator["user"],
                "tls": {"ca": ca},
            }
            for (side, (name, site)), node in zip(SIDES.items(), administrator["nodes"], strict=True)
        }
        answer = console.call("POST", "/registrations", {**sides, "link": {"name": "payments", "active": "first"}})
        assert answer.status == 201, answer
        self._path, self._seen = f"/registrations/{answer.body['id']}", answer.body["endpoints_digest"]

    def step(self, name: str, **given: Any) -> Json:
        """One call below the draft, which must succeed."""
        answer = self._console.call("POST", f"{self._path}/{name}", given | {"endpoints_digest": self._seen})
        assert answer.status == 200, (name, answer)
        self._seen = answer.body["endpoints_digest"]
        return answer.body

    def set_up(self, side: str) -> None:
        """Discover one cluster over verified TLS, create the accounts as shown, and check them."""
        found = self.step("discover", side=side, password=self._password)[side]
        assert {one["state"] for one in found["discovered"]["members"]} == {"connected"}, found["discovered"]
        assert found["tls"]["mode"] == "verify_identity", found["tls"]
        digest = found["statements"]["digest"]
        created = self.step("accounts", side=side, password=self._password, digest=digest)[side]["statements"]
        assert {one["result"] for one in created["statements"]} == {"done"}, created
        findings = self.step("check", side=side)[side]["checked"]["findings"]
        access = [one for one in findings if one["code"].startswith(("grant", "login"))]
        assert {one["severity"] for one in access} == {"ok"}, access

    def register(self) -> str:
        """Register both clusters and the link; its id. That they are not linked yet is a point left open."""
        return str(self.step("register", accept_open=True)["link_id"])
