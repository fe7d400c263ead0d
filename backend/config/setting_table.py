"""Every setting that the environment may hold: the one table behind reading, checking, showing and documenting them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_audit import AUDIT
from backend.config.setting_kinds import Choice, Flag, Number, Secret, Setting, Text, TextList, Url
from backend.config.setting_limits import LIMITS

ROOT: Final = Path(__file__).resolve().parents[2]


PROCESSES: Final = ("web", "worker", "monitor", "migrate")
NETWORKS: Final = TextList("networks by comma, such as `10.1.0.0/16`", checks.check_network)
SETTINGS: Final = (
    Setting("HAWSER_DEMO", Flag(), "0", "the demo: built-in secrets, plain HTTP and the lab; never in production"),
    Setting("HAWSER_DEBUG", Flag(), "0", "the same for development, with logs for people"),
    Setting(
        "HAWSER_PROCESS",
        Choice(("", *PROCESSES)),
        "",
        "which secrets are required: those of this process; empty, as at a shell, all",
    ),
    Setting(
        "HAWSER_SECRET_KEY",
        Secret("32 random characters or more", checks.secret_key),
        "",
        "signs sessions",
        relaxed_default=checks.DEMO_SECRET_KEY,
        required_by=("web",),
    ),
    Setting(
        "HAWSER_CREDENTIALS_KEY",
        Secret("URL-safe base64 of 32 bytes; several by comma, newest first", checks.fernet_keys),
        "",
        "seals stored database passwords; the MACs of runs and approvals are made with keys derived from it",
        relaxed_default=checks.DEMO_CREDENTIALS_KEY,
        required_by=PROCESSES,
    ),
    Setting(
        "HAWSER_AUDIT_KEY",
        Secret("URL-safe base64 of 32 bytes; several by comma, newest first", checks.fernet_keys),
        "",
        "chains the [audit record](../how-to/verify-audit-log.md); keep the old ones",
        relaxed_default=checks.DEMO_AUDIT_KEY,
        required_by=PROCESSES,
    ),
    *AUDIT,
    Setting(
        "HAWSER_DATABASE_URL",
        Url("`mysql://user:password@host:3306/name`, or `sqlite:///path` for the demo", checks.check_database_url),
        f"sqlite:///{ROOT / 'console.sqlite3'}",
        "the console's own database",
    ),
    Setting(
        "HAWSER_MIGRATE_DATABASE_URL",
        Url("as above, or nothing", checks.check_migrate_database_url),
        "",
        "the same with the [account that may change the schema]"
        "(../how-to/install.md#two-accounts-in-the-consoles-database); read by "
        "`migrate`, `hawser_database_grants` and `hawser_audit restore-triggers` alone",
    ),
    Setting(
        "HAWSER_REDIS_URL",
        Url("`redis://:password@host:6379/0`, `rediss://` with TLS", checks.check_redis_url),
        "redis://127.0.0.1:6379/0",
        "wakes the workers",
    ),
    Setting(
        "HAWSER_ALLOWED_HOSTS",
        TextList("hosts by comma", checks.check_host),
        "localhost,127.0.0.1",
        "names that the console answers to",
        relaxed_default="*",
    ),
    Setting(
        "HAWSER_TRUSTED_ORIGINS",
        TextList("origins by comma, such as `https://hawser.example.net`", checks.check_origin),
        "",
        "pages that may change something, where their host or port is not the console's own",
    ),
    Setting(
        "HAWSER_BEHIND_PROXY",
        Flag(),
        "0",
        "believe `X-Forwarded-Proto` and the last address of `X-Forwarded-For`, which the proxy must set",
    ),
    Setting("HAWSER_PLAIN_HTTP", Flag(), "0", "cookies without `Secure`, no HSTS; not for production"),
    Setting("HAWSER_ALLOWED_NETWORKS", NETWORKS, "", "networks that nodes may stand in"),
    Setting(
        "HAWSER_HOOK_NETWORKS",
        NETWORKS,
        "",
        "the same for receivers of [webhooks](../how-to/webhooks.md); without it none may stand at a private address",
    ),
    Setting(
        "HAWSER_WEB_ADDRESSES",
        TextList("addresses by comma, such as `10.1.0.5:8000`", checks.check_address),
        "127.0.0.1:8000",
        "where the web processes listen; no webhook leads there, nor to the console's database or Redis",
    ),
    Setting(
        "HAWSER_REQUIRE_VERIFIED_TLS",
        Flag(),
        "0",
        "clusters are registered with TLS mode `verify_ca` or `verify_identity` only",
    ),
    Setting("HAWSER_METRICS_PUBLIC", Flag(), "0", "`/metrics` without a token", relaxed_default="1"),
    Setting("HAWSER_LEASE_S", Number(2, 240), "15", "seconds that a worker may be silent before another takes its run"),
    Setting(
        "HAWSER_PLAN_LIMIT_S",
        Number(1, 3600),
        "300",
        "seconds that logs are read for one plan over HTTP before it is refused; keep it under what your proxy waits "
        "(an hour in the samples)",
    ),
    Setting("HAWSER_POLL_INTERVAL_S", Number(0.1, 60), "1", "seconds between two polls of the monitor"),
    *LIMITS,
    Setting(
        "HAWSER_LOG_LEVEL",
        Choice(("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
        "INFO",
        "what is logged, on standard error",
    ),
    Setting("HAWSER_LAB_HOME", Text("a folder"), str(ROOT / ".lab"), "folder of the demo's lab"),
    Setting(
        "HAWSER_LAB_NET",
        Text("two numbers inside 127/8, such as `127.7`", r"(127\.\d{1,3})?"),
        "",
        "addresses of the demo's lab",
    ),
)
BY_NAME: Final = {setting.name: setting for setting in SETTINGS}
