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
    "backend.accounts.protected_changes.apply_due",
    "backend.runs.services.end_unapproved",
    "backend.accounts.throttle.forget_old",
]

# Called by the monitor behind each look that it stored, beside the next one.
HAWSER_JOBS_AFTER_LOOK = ["backend.automation.returned_sides.tick"]

HAWSER_LOGIN_LIMIT = int(env.number("HAWSER_LOGIN_LIMIT", 10))
HAWSER_LOGIN_WINDOW_S = int(env.number("HAWSER_LOGIN_WINDOW_S", 900))
# Guesses at one name from many addresses are answered later and later, up to this.
HAWSER_LOGIN_DELAY_MAX_S = env.number("HAWSER_LOGIN_DELAY_MAX_S", 2.0)
# Refusals of one kind within this time are one record.
HAWSER_AUDIT_FOLD_S = 60.0
# How many passwords a process hashes at once: each costs 19 MiB and a core, and anybody may ask for it.
HAWSER_PASSWORD_HASHES = int(env.number("HAWSER_PASSWORD_HASHES", 2))
HAWSER_PASSWORD_HASH_WAIT_S = 2.0
# Calls that may hold one of the 40 threads for minutes: plans, scans for orphans, tests of webhooks.
HAWSER_SLOW_CALLS = int(env.number("HAWSER_SLOW_CALLS", 20))
HAWSER_SLOW_CALLS_PER_CALLER = int(env.number("HAWSER_SLOW_CALLS_PER_CALLER", 8))
HAWSER_STREAMS_PER_CALLER = int(env.number("HAWSER_STREAMS_PER_CALLER", 10))
HAWSER_STREAM_POLL_S = env.number("HAWSER_STREAM_POLL_S", 0.4)
HAWSER_STREAM_HEARTBEAT_S = 10.0
HAWSER_STREAM_MAX_S = env.number("HAWSER_STREAM_MAX_S", 900.0)

# What makes somebody a second person, or switches the rule off, takes effect this long after it is announced.
HAWSER_SECOND_PERSON_WAIT_H = env.number("HAWSER_SECOND_PERSON_WAIT_H", 24.0)
# How long a run waits for its approval, how old one may be where a stopped run is resumed, and how long an exception
# without a second person can be used.
HAWSER_APPROVAL_WAIT_S = env.number("HAWSER_APPROVAL_WAIT_S", 3600.0)
HAWSER_APPROVAL_REUSE_S = env.number("HAWSER_APPROVAL_REUSE_S", 3600.0)
HAWSER_EXCEPTION_S = env.number("HAWSER_EXCEPTION_S", 900.0)

HAWSER_TOKEN_DAYS = int(env.number("HAWSER_TOKEN_DAYS", 90))
HAWSER_TOKEN_MAX_DAYS = int(env.number("HAWSER_TOKEN_MAX_DAYS", 365))
HAWSER_SESSION_IDLE_S = env.number("HAWSER_SESSION_IDLE_S", 3600.0)
