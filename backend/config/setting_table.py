"""Every setting that the environment may hold: one table for reading, checking, showing and documenting them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_accounts import ACCOUNTS
from backend.config.setting_audit import AUDIT
from backend.config.setting_kinds import Choice, Flag, Number, Secret, Setting, Text, TextList, Url
from backend.config.setting_limits import LIMITS
from backend.config.setting_retention import RETENTION
from backend.config.setting_second_factor import SECOND_FACTOR
from backend.config.setting_secrets import SECRETS
from backend.config.setting_sign_in import SIGN_IN
from backend.config.setting_web_push import WEB_PUSH

ROOT: Final = Path(__file__).resolve().parents[2]


PROCESSES: Final = ("web", "worker", "monitor", "migrate")
NETWORKS: Final = TextList("networks separated by commas, such as `10.1.0.0/16`", checks.check_network)
SETTINGS: Final = (
    Setting("HAWSER_DEMO", Flag(), "0", "the demo: built-in secrets, plain HTTP and the lab; never in production"),
    Setting("HAWSER_DEBUG", Flag(), "0", "the same for development, with readable logs"),
    Setting(
        "HAWSER_PROCESS",
        Choice(("", *PROCESSES)),
        "",
        "the process whose secrets are required; empty, for example at a shell, means all",
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
        "HAWSER_SECRET_KEY_FALLBACKS",
        Secret("keys of that kind, separated by commas", checks.secret_keys),
        "",
        "what these keys signed is accepted too, while the secret key is [replaced](../how-to/rotate-keys.md)",
    ),
    Setting(
        "HAWSER_CREDENTIALS_KEY",
        Secret("URL-safe base64 of 32 bytes; several separated by commas, newest first", checks.fernet_keys),
        "",
        "encrypts stored database passwords; the MACs of runs and approvals use keys derived from it",
        relaxed_default=checks.DEMO_CREDENTIALS_KEY,
        required_by=("web", "worker", "monitor"),
    ),
    Setting(
        "HAWSER_AUDIT_KEY",
        Secret("URL-safe base64 of 32 bytes; several separated by commas, newest first", checks.fernet_keys),
        "",
        "signs the chain of the [audit log](../how-to/verify-audit-log.md); keep the old keys listed",
        relaxed_default=checks.DEMO_AUDIT_KEY,
        required_by=PROCESSES,
    ),
    Setting(
        "HAWSER_PASSWORD_PEPPER",
        Secret("URL-safe base64 of 32 bytes; several separated by commas, newest first", checks.fernet_keys),
        "",
        "is [hashed into passwords](../how-to/rotate-keys.md#the-key-of-passwords) of users, so that the database "
        "alone is not enough to guess at them",
        relaxed_default=checks.DEMO_CREDENTIALS_KEY,
        required_by=("web",),
    ),
    *AUDIT,
    Setting(
        "HAWSER_DATABASE_URL",
        Url("`mysql://user:password@host:3306/name`, or `sqlite:///path` for the demo", checks.check_database_url),
        f"sqlite:///{ROOT / 'console.sqlite3'}",
        "Hawser's own database; `?ssl_ca=/path/ca.pem` demands TLS and verifies the certificate, `ssl_cert` and "
        "`ssl_key` add a client certificate",
    ),
    Setting(
        "HAWSER_MIGRATE_DATABASE_URL",
        Url("as above, or empty", checks.check_migrate_database_url),
        "",
        "the same with the [account that may change the schema]"
        "(../how-to/install.md#two-accounts-in-the-consoles-database); used only by `migrate`, "
        "`hawser_database_grants` and `hawser_audit restore-triggers`",
    ),
    Setting(
        "HAWSER_REDIS_URL",
        Url("`redis://:password@host:6379/0`, `rediss://` with TLS", checks.check_redis_url),
        "redis://127.0.0.1:6379/0",
        "wakes the workers; `rediss://` verifies the certificate, with `?ssl_ca_certs=/path/ca.pem` by that CA",
    ),
    Setting(
        "HAWSER_CLEAR_CONNECTIONS",
        Flag(),
        "0",
        "start although database or Redis are reached over a network without TLS; not for production",
    ),
    Setting(
        "HAWSER_ALLOWED_HOSTS",
        TextList("hosts separated by commas", checks.check_host),
        "localhost,127.0.0.1",
        "host names of the console",
        relaxed_default="*",
    ),
    Setting(
        "HAWSER_TRUSTED_ORIGINS",
        TextList("origins separated by commas, such as `https://hawser.example.net`", checks.check_origin),
        "",
        "origins of pages that may send unsafe calls, if their host or port differs from the console's",
    ),
    Setting(
        "HAWSER_BEHIND_PROXY",
        Flag(),
        "0",
        "trust `X-Forwarded-Proto` and the last address of `X-Forwarded-For` of the proxy that knows "
        "`HAWSER_PROXY_SECRET`",
    ),
    Setting(
        "HAWSER_PROXY_SECRET",
        Secret("32 random characters or more", checks.secret_key),
        "",
        "what the proxy sends as `X-Hawser-Proxy`: those headers count with it alone; web does not start behind a "
        "proxy without it",
    ),
    Setting("HAWSER_PLAIN_HTTP", Flag(), "0", "cookies without `Secure`, no HSTS; not for production"),
    Setting("HAWSER_ALLOWED_NETWORKS", NETWORKS, "", "networks in which nodes can be registered"),
    Setting(
        "HAWSER_HOOK_NETWORKS",
        NETWORKS,
        "",
        "the same for receivers of [webhooks](../how-to/webhooks.md) and [destinations](../how-to/destinations.md), "
        "mail servers too; without it none may have a private address",
    ),
    *WEB_PUSH,
    *SECRETS,
    *SIGN_IN,
    Setting(
        "HAWSER_WEB_ADDRESSES",
        TextList("addresses separated by commas, such as `10.1.0.5:8000`", checks.check_address),
        "127.0.0.1:8000",
        "where the web processes listen; no webhook may lead there, nor to the console's database or Redis",
    ),
    Setting(
        "HAWSER_REQUIRE_VERIFIED_TLS",
        Flag(),
        "0",
        "clusters can be registered with TLS mode `verify_ca` or `verify_identity` only",
    ),
    Setting("HAWSER_METRICS_PUBLIC", Flag(), "0", "`/metrics` without a token", relaxed_default="1"),
    Setting(
        "HAWSER_LEASE_S",
        Number(2, 240),
        "15",
        "seconds without a lease renewal after which another worker takes over a run",
    ),
    Setting(
        "HAWSER_PLAN_LIMIT_S",
        Number(1, 3600),
        "300",
        "seconds that logs are read for one plan over HTTP; then the plan is refused. Keep it below the timeout of "
        "your proxy (an hour in the samples)",
    ),
    Setting("HAWSER_POLL_INTERVAL_S", Number(0.1, 60), "1", "seconds between two polls of the monitor"),
    Setting(
        "HAWSER_COMPARE_ROWS",
        Flag(),
        "1",
        "the monitor reads what each node logs, and compares the rows; 0 spares the network that traffic",
    ),
    Setting(
        "HAWSER_PROVEN_WITHIN_S",
        Number(30, 3600),
        "60",
        "seconds for which a link is `protected` without a proof that each side holds what the other one sent, at "
        "least three polls; then it is `unproven`",
    ),
    *RETENTION,
    Setting(
        "HAWSER_ABSENCE_ALARM_MINUTES",
        Number(0, 10080),
        "10",
        "minutes for which every node must be able to be away without an SST; below, a warning is raised; 0: never",
    ),
    *LIMITS,
    *SECOND_FACTOR,
    *ACCOUNTS,
    Setting(
        "HAWSER_LOG_LEVEL",
        Choice(("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
        "INFO",
        "what is logged, on standard error",
    ),
    Setting(
        "HAWSER_TRACES_ENDPOINT",
        Url("`https://collector.example.net:4318/v1/traces`, or empty", checks.check_traces_endpoint),
        "",
        "where [traces](../how-to/monitor-and-alert.md#traces) are sent, as OTLP over HTTP; empty: none are made",
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
