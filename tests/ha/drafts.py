"""The creating turn of a load where no link is registered: a draft is created and deleted, each once."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.galera.console import Json
from tests.ha.client import Client

BODY: Json = {}


@dataclass
class Drafts:
    """Counts what it created; what was done twice stays behind in the list, or answers 404."""

    client: Client
    created: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)

    def turn(self, number: int) -> None:
        """One draft, created and deleted."""
        made = self.client.call("POST", "/registrations", BODY)
        if made.status != 201:
            self.doubtful.append(f"POST {made.status} {made.body}")
            return
        self.created.append(str(made.body["id"]))
        gone = self.client.call("DELETE", f"/registrations/{made.body['id']}")
        if gone.status != 204:
            self.doubtful.append(f"DELETE {gone.status} {gone.body}")

    def left(self) -> list[str]:
        """Ids in the console's list."""
        return [str(one["id"]) for one in self.client.call("GET", "/registrations").body["results"]]
