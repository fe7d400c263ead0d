"""What the console itself can be told: demo, lab, polling, outbound addresses, versions."""

from __future__ import annotations

from backend.config import env

HAWSER_VERSION = "0.1.0"
HAWSER_DEMO = env.DEMO
HAWSER_LAB_HOME = env.text("HAWSER_LAB_HOME", str(env.ROOT / ".lab"))
HAWSER_LAB_NET = env.text("HAWSER_LAB_NET")
# How long a worker may be silent before another one takes its run over.
HAWSER_LEASE_S = env.number("HAWSER_LEASE_S", 15.0)
# How long the servers' logs are read for one plan over HTTP.
HAWSER_PLAN_LIMIT_S = env.number("HAWSER_PLAN_LIMIT_S", 300.0)
HAWSER_POLL_INTERVAL_S = env.number("HAWSER_POLL_INTERVAL_S", 1.0)

# Networks that registered nodes may stand in; empty means any address but the ones that no
# database server has any business at (loopback, link-local, multicast, unspecified).
HAWSER_ALLOWED_NETWORKS = env.text_list("HAWSER_ALLOWED_NETWORKS")
HAWSER_ALLOW_LOOPBACK = env.RELAXED
# The same for receivers of webhooks.
HAWSER_HOOK_NETWORKS = env.text_list("HAWSER_HOOK_NETWORKS")

# First key seals, all keys open: put a new one in front, reseal, then drop the old one.
HAWSER_CREDENTIALS_KEYS = [
    key.strip()
    for key in env.secret("HAWSER_CREDENTIALS_KEY", "aGF3c2VyLWRlbW8tb25seS1jcmVkZW50aWFscy1rZXk=").split(",")
    if key.strip()
]

HAWSER_METRICS_PUBLIC = env.flag("HAWSER_METRICS_PUBLIC", default=env.RELAXED)

# Called by the monitor each second, in a thread of their own: a run waits for them, and nothing slow may stand before
# them. Names, here and below, so that a lower room needs no import.
HAWSER_SECOND_JOBS = ["backend.runs.services.redispatch_stale"]

# Called about every five seconds.
HAWSER_PERIODIC_JOBS = [
    "backend.runs.services.probe_workers",
    "backend.hooks.dispatch.sweep",
    "backend.rehearsals.dispatch.dispatch_due",
    "backend.automation.services.tick",
    "backend.automation.starts.tick",
    "backend.common.housekeeping.sweep",
    "backend.hooks.audit_watch.tick",
]

# Called by the monitor behind each look that it stored, beside the next one.
HAWSER_JOBS_AFTER_LOOK = ["backend.automation.returned_sides.tick"]

HAWSER_LOGIN_LIMIT = int(env.number("HAWSER_LOGIN_LIMIT", 10))
HAWSER_LOGIN_WINDOW_S = int(env.number("HAWSER_LOGIN_WINDOW_S", 900))
HAWSER_STREAM_POLL_S = env.number("HAWSER_STREAM_POLL_S", 0.4)
HAWSER_STREAM_HEARTBEAT_S = 10.0
HAWSER_STREAM_MAX_S = env.number("HAWSER_STREAM_MAX_S", 900.0)
