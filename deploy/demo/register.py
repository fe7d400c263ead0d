"""Registers the lab with the console through the REST API."""

from __future__ import annotations

from typing import Any

from deploy.demo.api import Api


def register(api: Api, described: dict[str, Any]) -> str:
    """Registers both clusters and the link if they are missing; returns the link's id."""
    link = described["link"]
    known = [each for each in api.existing("/api/v1/links") if each["name"] == link["name"]]
    if known:
        return str(known[0]["id"])
    clusters = {each["name"]: each["id"] for each in api.existing("/api/v1/clusters")}
    for cluster in described["clusters"]:
        if cluster["name"] not in clusters:
            clusters[cluster["name"]] = api.create("/api/v1/clusters", cluster["registration"])["id"]
    body = {
        "name": link["name"],
        "active_cluster": clusters[link["active"]],
        "standby_cluster": clusters[link["standby"]],
        "channel_name": link["channel_name"],
    }
    return str(api.create("/api/v1/links", body)["id"])
