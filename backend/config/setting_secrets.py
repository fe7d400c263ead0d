"""Settings of the stores from which passwords can come by reference."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_kinds import Choice, Number, Setting, Text, TextList

_PATH = r"/[^\0\n]*"
_VAULT_PATH = r"[A-Za-z0-9_-][A-Za-z0-9_./-]*"
_VAULT = r"https://[A-Za-z0-9.:\[\]_-]+/?|http://(127\.0\.0\.1|localhost)(:\d+)?/?"
_BOUND = "; `production=` before one allows it to clusters of that environment alone"
_WHERE = "[passwords by reference](../how-to/keep-passwords-in-a-store.md)"

SECRETS: Final = (
    Setting(
        "HAWSER_SECRET_PATHS",
        TextList(
            f"folders separated by commas, such as `/run/secrets/hawser`{_BOUND}",
            checks.of_environment(checks.check_folder),
        ),
        "",
        f"folders below which a `file:` reference may name a file; without it none may: {_WHERE}",
    ),
    Setting(
        "HAWSER_SECRET_VARIABLES",
        TextList(
            f"names of variables separated by commas, none that begins with HAWSER_{_BOUND}",
            checks.of_environment(checks.check_variable),
        ),
        "",
        "variables that an `env:` reference may name",
    ),
    Setting(
        "HAWSER_SECRET_STALE_MINUTES",
        Number(0, 1440),
        "15",
        "minutes for which the last value is used while its store does not answer; plans are refused meanwhile",
    ),
    Setting(
        "HAWSER_VAULT_URL",
        Text("`https://host:8200`, `http` only on this host, or empty", rf"({_VAULT})?"),
        "",
        "the OpenBao or Vault of `vault:` and `vault-db:` references",
    ),
    Setting("HAWSER_VAULT_CA_PATH", Text("a path, or empty", rf"({_PATH})?"), "", "the authority of its certificate"),
    Setting("HAWSER_VAULT_NAMESPACE", Text("a namespace, or empty", r"[\w./-]*"), "", "its namespace"),
    Setting(
        "HAWSER_VAULT_AUTH",
        Choice(("token", "approle", "kubernetes")),
        "approle",
        "how the console logs in there",
    ),
    Setting(
        "HAWSER_VAULT_AUTH_MOUNT",
        Text("a path, or empty", rf"({_VAULT_PATH})?"),
        "",
        "where that way of logging in is mounted, if not under its own name",
    ),
    Setting("HAWSER_VAULT_ROLE", Text("text, or empty", r"[\w.-]*"), "", "the role id of AppRole, or Kubernetes' role"),
    Setting(
        "HAWSER_VAULT_SECRET_ID_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the file with the secret id of AppRole; read at each login",
    ),
    Setting(
        "HAWSER_VAULT_TOKEN_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the file with the token, such as the sink of an agent; read every minute",
    ),
    Setting(
        "HAWSER_VAULT_JWT_PATH",
        Text("a path", _PATH),
        "/var/run/secrets/kubernetes.io/serviceaccount/token",
        "the file with the token of the Kubernetes service account",
    ),
    Setting(
        "HAWSER_VAULT_PATHS",
        TextList(
            f"paths separated by commas, such as `secret/hawser,database/creds`{_BOUND}",
            checks.of_environment(checks.check_vault_path),
        ),
        "",
        "mounts and paths that a reference may name, with all below them; without it none may",
    ),
)
