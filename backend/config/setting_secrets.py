"""Settings of the stores from which passwords can come by reference."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config.setting_kinds import Choice, Number, Setting, Text, TextList

_PATH = r"/[^\0\n]*"
_VAULT_PATH = r"[A-Za-z0-9_-][A-Za-z0-9_./-]*"
_VAULT = r"https://[A-Za-z0-9.:\[\]_-]+/?|http://(127\.0\.0\.1|localhost)(:\d+)?/?"
_HTTPS = r"https://[A-Za-z0-9.:_-]+"
_WHERE = "[passwords by reference](../how-to/keep-passwords-in-a-store.md)"

SECRETS: Final = (
    Setting(
        "HAWSER_SECRET_PATHS",
        TextList("folders separated by commas, such as `/run/secrets/hawser`", checks.check_folder),
        "",
        f"folders below which a `file:` reference may name a file; without it none may: {_WHERE}",
    ),
    Setting(
        "HAWSER_SECRET_VARIABLES",
        TextList("names of variables separated by commas, none that begins with HAWSER_", checks.check_variable),
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
        TextList("paths separated by commas, such as `secret/hawser,database/creds`", checks.check_vault_path),
        "",
        "mounts and paths that a reference may name, with all below them; without it none may",
    ),
    Setting(
        "HAWSER_CLOUD_PATHS",
        TextList("references by commas, whole or ending in `*`, such as `aws-sm:hawser/*`", checks.check_cloud_secret),
        "",
        "secrets of cloud providers that a reference may name; without it none may",
    ),
    Setting(
        "HAWSER_CLOUD_CA_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the authority of their certificates, if not one of the system's",
    ),
    Setting("HAWSER_AWS_REGION", Text("a region, or empty", r"[a-z0-9-]*"), "", "the region of `aws-sm:` references"),
    Setting(
        "HAWSER_AWS_URL",
        Text("`https://host`, or empty", rf"({_HTTPS})?"),
        "",
        "Secrets Manager, if not the region's own address, such as a VPC endpoint",
    ),
    Setting(
        "HAWSER_AWS_CREDENTIALS_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the credentials file, of which the profile `default` is read at each call",
    ),
    Setting(
        "HAWSER_GCP_KEY_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the key file (JSON) of the service account of `gcp-sm:` references",
    ),
    Setting(
        "HAWSER_GCP_URL",
        Text("`https://host`", _HTTPS),
        "https://secretmanager.googleapis.com",
        "Google Secret Manager",
    ),
    Setting(
        "HAWSER_AZURE_VAULT_URL",
        Text("`https://name.vault.azure.net`, or empty", rf"({_HTTPS})?"),
        "",
        "the vault of `azure-kv:` references",
    ),
    Setting("HAWSER_AZURE_TENANT", Text("text, or empty", r"[\w.-]*"), "", "the tenant of the application"),
    Setting("HAWSER_AZURE_CLIENT_ID", Text("text, or empty", r"[\w.-]*"), "", "the id of the application"),
    Setting(
        "HAWSER_AZURE_CLIENT_SECRET_PATH",
        Text("a path, or empty", rf"({_PATH})?"),
        "",
        "the file with its client secret; read at each login",
    ),
    Setting(
        "HAWSER_AZURE_LOGIN_URL",
        Text("`https://host`", _HTTPS),
        "https://login.microsoftonline.com",
        "where it logs in",
    ),
)
