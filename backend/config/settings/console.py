"""Settings of the console itself: demo, lab, polling, outbound addresses, versions."""

from __future__ import annotations

from backend.config import env
from backend.config.setting_second_factor import OFF

HAWSER_VERSION = "0.1.0"
HAWSER_DEMO = env.DEMO
HAWSER_LAB_HOME = env.text("HAWSER_LAB_HOME")
HAWSER_LAB_NET = env.text("HAWSER_LAB_NET")
# Time without a lease renewal after which another worker takes over a run.
HAWSER_LEASE_S = env.number("HAWSER_LEASE_S")
# Time limit for reading the servers' logs for one plan over HTTP.
HAWSER_PLAN_LIMIT_S = env.number("HAWSER_PLAN_LIMIT_S")
HAWSER_POLL_INTERVAL_S = env.number("HAWSER_POLL_INTERVAL_S")
HAWSER_COMPARE_ROWS = env.flag("HAWSER_COMPARE_ROWS")
HAWSER_PROVEN_WITHIN_S = max(env.number("HAWSER_PROVEN_WITHIN_S"), 3 * HAWSER_POLL_INTERVAL_S)
# How long the lag is stored: each sample, and minimum, average and maximum of ten seconds, a minute, ten minutes.
HAWSER_LAG_SAMPLES_H = env.whole("HAWSER_LAG_SAMPLES_H")
HAWSER_LAG_10S_DAYS = env.whole("HAWSER_LAG_10S_DAYS")
HAWSER_LAG_1MIN_DAYS = env.whole("HAWSER_LAG_1MIN_DAYS")
HAWSER_LAG_10MIN_DAYS = env.whole("HAWSER_LAG_10MIN_DAYS")
# Minutes that a node may be away before it needs an SST; below them a warning is raised, and 0 is none.
HAWSER_ABSENCE_ALARM_MINUTES = env.number("HAWSER_ABSENCE_ALARM_MINUTES")

# Whether clusters must be registered with verified connections, and whether plans warn of others.
HAWSER_REQUIRE_VERIFIED_TLS = env.flag("HAWSER_REQUIRE_VERIFIED_TLS")
HAWSER_WARN_UNVERIFIED_TLS = not env.RELAXED

# Networks in which nodes can be registered. Empty means any address except those that are never
# addresses of a database server (loopback, link-local, multicast, metadata services, unspecified).
HAWSER_ALLOWED_NETWORKS = env.text_list("HAWSER_ALLOWED_NETWORKS")
HAWSER_ALLOW_LOOPBACK = env.RELAXED
# The same for receivers of webhooks; empty excludes private addresses, too.
HAWSER_HOOK_NETWORKS = env.text_list("HAWSER_HOOK_NETWORKS")
# The private key of Web Push (VAPID), in web and worker; empty: no browser can subscribe.
HAWSER_WEB_PUSH_KEY = env.text("HAWSER_WEB_PUSH_KEY")
# Where the operator of a push service can write to.
HAWSER_WEB_PUSH_CONTACT = env.text("HAWSER_WEB_PUSH_CONTACT")
# Networks of push services; empty excludes private addresses.
HAWSER_WEB_PUSH_NETWORKS = env.text_list("HAWSER_WEB_PUSH_NETWORKS")
# Where the web processes listen. No webhook leads there, nor to the database, Redis or a trusted origin.
HAWSER_WEB_ADDRESSES = env.text_list("HAWSER_WEB_ADDRESSES")

# The first key encrypts, all keys decrypt: put a new one first, reseal, then remove the old one.
HAWSER_CREDENTIALS_KEYS = env.text_list("HAWSER_CREDENTIALS_KEY")

# Passwords by reference: what a reference may name, and the vault.
HAWSER_SECRET_PATHS = env.text_list("HAWSER_SECRET_PATHS")
HAWSER_SECRET_VARIABLES = env.text_list("HAWSER_SECRET_VARIABLES")
HAWSER_SECRET_STALE_MINUTES = env.number("HAWSER_SECRET_STALE_MINUTES")
HAWSER_VAULT_URL = env.text("HAWSER_VAULT_URL")
HAWSER_VAULT_CA_PATH = env.text("HAWSER_VAULT_CA_PATH")
HAWSER_VAULT_NAMESPACE = env.text("HAWSER_VAULT_NAMESPACE")
HAWSER_VAULT_AUTH = env.text("HAWSER_VAULT_AUTH")
HAWSER_VAULT_AUTH_MOUNT = env.text("HAWSER_VAULT_AUTH_MOUNT")
HAWSER_VAULT_ROLE = env.text("HAWSER_VAULT_ROLE")
HAWSER_VAULT_SECRET_ID_PATH = env.text("HAWSER_VAULT_SECRET_ID_PATH")
HAWSER_VAULT_TOKEN_PATH = env.text("HAWSER_VAULT_TOKEN_PATH")
HAWSER_VAULT_JWT_PATH = env.text("HAWSER_VAULT_JWT_PATH")
HAWSER_VAULT_PATHS = env.text_list("HAWSER_VAULT_PATHS")

HAWSER_METRICS_PUBLIC = env.flag("HAWSER_METRICS_PUBLIC")

# Called by the monitor each second, in a thread of their own. A run waits for them, so nothing slow may come before
# them. They are names, here and below, so that a lower layer needs no import.
HAWSER_SECOND_JOBS = ["backend.operations.runs.services.redispatch_stale", "backend.operations.incidents.dispatch.tick"]

# Called about every five seconds.
HAWSER_PERIODIC_JOBS = [
    "backend.operations.runs.services.probe_workers",
    "backend.monitoring.lag_history.rollup.tick",
    "backend.monitoring.retention.tick",
    "backend.monitoring.write_sets.alarm.tick",
    "backend.notifications.hooks.dispatch.sweep",
    "backend.notifications.web_push.dispatch.sweep",
    "backend.operations.rehearsals.dispatch.dispatch_due",
    "backend.transactions.table_comparison.dispatch.tick",
    "backend.operations.automation.services.tick",
    "backend.operations.automation.starts.tick",
    "backend.registration.links.end_due_pauses",
    "backend.registration.acceptance_end.end_outdated",
    "backend.registration.guide.drafts.forget_expired",
    "backend.common.housekeeping.sweep",
    "backend.adviser.network.services.forget_old",
    "backend.identity.accounts.withdrawn_changes.withdraw_fallen",
    "backend.identity.accounts.protected_changes.apply_due",
    "backend.operations.runs.services.end_unapproved",
    "backend.operations.runs.services.remind_approvers",
    "backend.identity.accounts.throttle.forget_old",
    "backend.identity.accounts.retention.sweep",
    "backend.identity.accounts.token_ends.tick",
    "backend.notifications.hooks.audit_watch.tick",
    "backend.history.readiness_tally.count_readiness",
]

# Called about every five seconds in a thread of their own: a node or receiver that hangs delays nothing but these.
HAWSER_NODE_JOBS = [
    "backend.adviser.maintenance.watch.tick",
    "backend.adviser.advice.configurations.refresh_due",
    "backend.monitoring.node_events.refresh_due",
    "backend.adviser.advice.judging.tick",
    "backend.adviser.advice.certificates.tick",
    "backend.clusters.reference_watch.tick",
    "backend.identity.single_sign_on.confirmation.tick",
    "backend.audit.forwarding.forwarder.tick",
]

# Where it is known on which nodes a run has a statement under way that changes channels.
HAWSER_CHANNEL_STATEMENTS = "backend.operations.runs.selectors.nodes_with_channel_statement"

# Called by the monitor after each poll that it stored, in parallel to the next one.
HAWSER_JOBS_AFTER_LOOK = ["backend.operations.automation.returned_sides.tick"]

# What a user does first: replace a password that an administrator set, agree to what is kept of persons.
HAWSER_INITIAL_PASSWORD_H = env.number("HAWSER_INITIAL_PASSWORD_H")
HAWSER_PRIVACY_NOTICE = env.flag("HAWSER_PRIVACY_NOTICE")
HAWSER_LOGIN_LIMIT = env.whole("HAWSER_LOGIN_LIMIT")
HAWSER_LOGIN_WINDOW_S = env.whole("HAWSER_LOGIN_WINDOW_S")
# Guesses at one name from many addresses are answered with a growing delay, up to this.
HAWSER_LOGIN_DELAY_MAX_S = env.number("HAWSER_LOGIN_DELAY_MAX_S")
# Refusals of one kind within this time are one record.
HAWSER_AUDIT_FOLD_S = 60.0
# Passwords that a process hashes at a time: each needs 19 MiB and a core, and any client can cause it.
HAWSER_PASSWORD_HASHES = env.whole("HAWSER_PASSWORD_HASHES")
HAWSER_PASSWORD_HASH_WAIT_S = 2.0
# Calls in a minute of one user, and of one address without a sign-in.
HAWSER_CALLS_PER_MINUTE = env.whole("HAWSER_CALLS_PER_MINUTE")
HAWSER_ANONYMOUS_CALLS_PER_MINUTE = env.whole("HAWSER_ANONYMOUS_CALLS_PER_MINUTE")
# Calls that may occupy one of the 40 threads for minutes: plans, scans for orphaned transactions, webhook tests.
HAWSER_SLOW_CALLS = env.whole("HAWSER_SLOW_CALLS")
HAWSER_SLOW_CALLS_PER_CALLER = env.whole("HAWSER_SLOW_CALLS_PER_CALLER")
HAWSER_STREAMS_PER_CALLER = env.whole("HAWSER_STREAMS_PER_CALLER")
HAWSER_STREAM_POLL_S = env.number("HAWSER_STREAM_POLL_S")
HAWSER_STREAM_HEARTBEAT_S = 10.0
HAWSER_STREAM_MAX_S = env.number("HAWSER_STREAM_MAX_S")

# Changes that make a user a second person, or end the approval rule, take effect this long after their announcement.
HAWSER_SECOND_PERSON_WAIT_H = env.number("HAWSER_SECOND_PERSON_WAIT_H")
# How long a run waits for its approval, how old one may be when a stopped run is resumed, and how long an exception
# without a second person is valid.
HAWSER_APPROVALS_NEEDED = env.whole("HAWSER_APPROVALS_NEEDED")
HAWSER_APPROVAL_WAIT_S = env.number("HAWSER_APPROVAL_WAIT_S")
HAWSER_APPROVAL_REUSE_S = env.number("HAWSER_APPROVAL_REUSE_S")
HAWSER_EXCEPTION_S = env.number("HAWSER_EXCEPTION_S")

HAWSER_TOKEN_DAYS = env.whole("HAWSER_TOKEN_DAYS")
HAWSER_TOKEN_MAX_DAYS = env.whole("HAWSER_TOKEN_MAX_DAYS")
HAWSER_SESSION_IDLE_S = env.number("HAWSER_SESSION_IDLE_S")
# Before a run, an approval or a change of users and credentials, the last proof of a session is at most this old.
HAWSER_STEP_UP_S = env.number("HAWSER_STEP_UP_S")
# Users with the lowest of these roles, or a higher one, need a second factor.
HAWSER_SECOND_FACTOR_ROLES = [role for role in env.text_list("HAWSER_SECOND_FACTOR_ROLES") if role != OFF]
HAWSER_PASSKEY_SIGN_IN = env.flag("HAWSER_PASSKEY_SIGN_IN")
