"""The processes of the console and their settings."""

from __future__ import annotations

import json

from deploy.demo import secrets
from deploy.demo.options import Options
from deploy.services.process import PYTHON, Child, run


def settings(options: Options, redis_url: str) -> dict[str, str]:
    """Environment of every console process; the names are those of the settings module."""
    return {
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "HAWSER_DATABASE_URL": f"sqlite:///{options.database}",
        "HAWSER_REDIS_URL": redis_url,
        "HAWSER_SECRET_KEY_FILE": str(secrets.secret_key(options.secrets)),
        "HAWSER_CREDENTIALS_KEY_FILE": str(secrets.credentials_key(options.secrets)),
        "HAWSER_AUDIT_KEY_FILE": str(secrets.audit_key(options.secrets)),
        "HAWSER_WEB_PUSH_KEY_FILE": str(secrets.web_push_key(options.secrets)),
        "HAWSER_ALLOWED_HOSTS": "127.0.0.1,localhost",
        # The links in notifications begin with it.
        "HAWSER_TRUSTED_ORIGINS": options.url,
        "HAWSER_DEMO": "1",
        "HAWSER_LAB_HOME": str(options.lab_home),
        "PYTHONUNBUFFERED": "1",
        # Killed processes leave their temporary files; those in this folder are removed by the next demo.
        "TMPDIR": str(options.temporary),
    }


def prepare(env: dict[str, str], password: str) -> str:
    """Migrates the database, creates the demo's users, and returns an API token of the administrator."""
    users = [["hawser_user", name, "--role", role, "--password-stdin"] for name, role in secrets.USERS.items()]
    commands = [["migrate", "--no-input"], *users, _token_command("admin", "demo")]
    return _manage_all(env, commands, stdin=f"{password}\n" * len(users))


def token_of(env: dict[str, str], user: str, label: str) -> str:
    """A new API token that expires after a month: one of a week is announced as about to end on the first page."""
    return _manage_all(env, [_token_command(user, label)])


def _token_command(user: str, label: str) -> list[str]:
    return ["hawser_token", user, "--label", label, "--expires", "30"]


def _manage_all(env: dict[str, str], commands: list[list[str]], stdin: str | None = None) -> str:
    """The last line that these management commands print; ServiceError with their output if one fails."""
    output = run([PYTHON, "-m", "deploy.demo.manage_all", json.dumps(commands)], env=env, stdin=stdin)
    return output.strip().splitlines()[-1]


def processes(options: Options, env: dict[str, str]) -> list[Child]:
    """Web, worker and monitor, not yet started."""
    uvicorn = [
        *[PYTHON, "-m", "uvicorn", "backend.config.asgi:application"],
        *["--host", options.host, "--port", str(options.port), "--no-access-log"],
        *["--http", "backend.config.bounded_http:BoundedProtocol"],
        # Otherwise it trusts X-Forwarded-For from any local port; the console itself decides by HAWSER_BEHIND_PROXY.
        "--no-proxy-headers",
        "--ws",
        "none",
        "--no-server-header",
        # Open event streams would delay the server's shutdown forever.
        *["--timeout-graceful-shutdown", "3", "--lifespan", "on"],
    ]
    celery = [
        *[PYTHON, "-m", "celery", "-A", "backend.config.celery", "worker"],
        *["--loglevel", "INFO", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"],
    ]
    commands = {
        "web": uvicorn,
        "worker": celery,
        "monitor": [PYTHON, "manage.py", "hawser_monitor"],
    }
    return [
        Child(name, command, options.logs / f"{name}.log", env, autogroup_nice=_AUTOGROUP_NICE[name])
        for name, command in commands.items()
    ]


_AUTOGROUP_NICE = {"web": -7, "worker": -10, "monitor": -7}
"""Five and nine shares of the processors, close to CPUWeight= of the units."""
