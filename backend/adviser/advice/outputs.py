"""Advice and configurations as the API returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.configuration.notes import NoteKind
from backend.core.adviser.advice.configuration.restart_order import RestartStep
from backend.core.adviser.advice.configuration.table import ConfigurationRow, TakesEffect
from backend.core.adviser.advice.host_settings.table import HostComparison, Judgement
from backend.core.adviser.advice.layout import Layout
from backend.core.adviser.advice.model import Risk

RISK = [risk.value for risk in Risk]
LAYOUT = [layout.value for layout in Layout]
NOTE = [kind.value for kind in NoteKind]
TAKES_EFFECT = [one.value for one in TakesEffect]
JUDGEMENT = [one.value for one in Judgement]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Until when a certificate is valid."""

    kind: Literal["authority", "client", "server"]
    name: Annotated[str, "name of the node, or the subject of the certificate"]
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Certificates:
    """The certificates of a cluster's connections."""

    certificates: tuple[Certificate, ...]


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Who dismissed advice, why, and until when."""

    id: str
    reason: str
    by: str
    at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice; `dismissal` null: it is open."""

    code: str
    risk: Risk
    title: str
    subject_id: Annotated[str, "id of the cluster or link"]
    subject: str
    nodes: tuple[str, ...]
    fact: str
    consequence: str
    remedy: str
    evidence: str
    is_measured: Annotated[bool, "the effect was measured, not only documented"]
    changes: tuple[ConfigurationChange, ...]
    fingerprint: Annotated[str, "of the facts; a dismissal counts for it only"]
    dismissal: Dismissal | None


@dataclass(frozen=True, slots=True)
class OpenAdvice:
    """How much advice is open, by risk."""

    high: int
    medium: int
    low: int


@dataclass(frozen=True, slots=True)
class ConfigurationNode:
    """When a node was read; `read_at` null: its configuration is unknown, and `error` says why."""

    node_id: str
    node: str
    version: str | None
    provider_version: str | None
    read_at: datetime | None
    error: str


@dataclass(frozen=True, slots=True)
class AdviceList:
    """Advice, open advice first, by risk. It rests on the nodes that were read."""

    items: tuple[Advice, ...]
    open: OpenAdvice
    nodes: tuple[ConfigurationNode, ...]


@dataclass(frozen=True, slots=True)
class ConfigurationFragment:
    """The lines for one node's configuration file."""

    node: str
    text: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings of a cluster; `layout` is what its nodes tell, `profile` what it is compared with."""

    layout: Layout
    profile: Layout
    nodes: tuple[ConfigurationNode, ...]
    rows: tuple[ConfigurationRow, ...]
    fragments: tuple[ConfigurationFragment, ...]
    restarts: tuple[RestartStep, ...]
    host_settings_command: Annotated[str, "reads the network settings of a host; changes nothing"]


@dataclass(frozen=True, slots=True)
class HostSettings:
    """One host, or the two of a result of hawser-network-probe, compared with `profile`."""

    profile: Layout
    hosts: tuple[HostComparison, ...]
