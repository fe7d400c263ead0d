"""A file that declares two clusters of dead nodes and their link."""

from __future__ import annotations

from tests.support.console import CANARY

PASSWORD = CANARY
ENVIRONMENT = {"M_PASSWORD": PASSWORD}
TEXT = """\
clusters:
  - name: milan
    site: a
    tls: {mode: disabled}
    credentials: &accounts
      monitor: {user: u_monitor, password: env:M_PASSWORD}
      operator: {user: u_operator, password: env:M_PASSWORD}
      replication: {user: u_replication, password: env:M_PASSWORD}
    nodes:
      - {name: a1, host: 127.0.71.1, port: 1}
      - {name: a2, host: 127.0.71.2, port: 1}
  - name: rome
    site: b
    tls: {mode: disabled}
    credentials: *accounts
    nodes:
      - {name: b2, host: 127.0.71.11, port: 1}
      - {name: b1, host: 127.0.71.12, port: 1}
links:
  - name: payments
    clusters: [milan, rome]
    home: milan
    create_probe: false
"""
