"""The processes of the console and their settings."""

from __future__ import annotations

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
        "HAWSER_DEMO": "1",
        "HAWSER_LAB_HOME": str(options.lab_home),
        "PYTHONUNBUFFERED": "1",
        # Killed processes leave their temporary files; those in this folder are removed by the next demo.
        "TMPDIR": str(options.temporary),
    }


def manage(env: dict[str, str], *arguments: str, stdin: str | None = None) -> str:
    """Runs a management command; ServiceError with its output if it fails."""
    return run([PYTHON, "manage.py", *arguments], env=env, stdin=stdin)


def prepare(env: dict[str, str], password: str) -> str:
    """Migrates the database, creates the demo's users, and returns an API token of the administrator."""
    manage(env, "migrate", "--no-input")
    for name, role in secrets.USERS.items():
        manage(env, "hawser_user", name, "--role", role, "--password-stdin", stdin=password + "\n")
    return token_of(env, "admin", "demo")


def token_of(env: dict[str, str], user: str, label: str) -> str:
    """A new API token that expires after a week."""
    return manage(env, "hawser_token", user, "--label", label, "--expires", "7").strip()


def processes(options: Options, env: dict[str, str]) -> list[Child]:
    """Web, worker and monitor, not yet started."""
    uvicorn = [
        *[PYTHON, "-m", "uvicorn", "backend.config.asgi:application"],
        *["--host", options.host, "--port", str(options.port), "--no-access-log"],
        # Otherwise it trusts X-Forwarded-For from any local port; the console itself decides by HAWSER_BEHIND_PROXY.
        "--no-proxy-headers",
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
