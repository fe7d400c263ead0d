"""Settings of sign-in: local users, an OpenID Connect provider, a directory, and which group has which role."""

from __future__ import annotations

from typing import Final

from backend.config import setting_checks as checks
from backend.config import sign_in_checks as sign_in
from backend.config.setting_kinds import Choice, Flag, Number, Secret, Setting, Text, TextList, Url

_NETWORKS: Final = TextList("networks separated by commas, such as `10.1.0.0/16`", checks.check_network)
_LOCAL: Final = (
    Setting(
        "HAWSER_LOCAL_SIGN_IN",
        Choice(("always", "break_glass")),
        "always",
        "who may sign in with a local password: every local user, or only those of `HAWSER_BREAK_GLASS_USERS`, "
        "which then raises a warning",
    ),
    Setting(
        "HAWSER_BREAK_GLASS_USERS",
        TextList("user names separated by commas", sign_in.check_username),
        "",
        "local users for the time when no provider answers",
    ),
    Setting(
        "HAWSER_GROUP_ROLES",
        TextList("`group=role` separated by commas, such as `dba=operator,dba-leads=approver`", sign_in.check_mapping),
        "",
        "the role of each group of [a provider or directory](../how-to/sign-in-by-provider.md); the highest one "
        "counts, and a user without any such group cannot sign in",
    ),
    Setting(
        "HAWSER_PROVIDER_ROLES_TRUSTED",
        Flag(),
        "0",
        "a user who became approver by a group counts as a second person at once, because two persons decide about "
        "groups already",
    ),
    Setting(
        "HAWSER_PROVIDER_CHECK_S",
        Number(5, 3600),
        "300",
        "seconds between two questions to the provider or directory about each user who is signed in",
    ),
    Setting(
        "HAWSER_PROVIDER_UNCONFIRMED_MINUTES",
        Number(1, 720),
        "60",
        "minutes after which a session ends that the provider or directory did not confirm",
    ),
    Setting(
        "HAWSER_PROVIDER_TOKEN_DAYS",
        Number(1, 365),
        "30",
        "days after which the API tokens of such a user end, unless the provider or directory confirmed the user since",
    ),
    Setting(
        "HAWSER_CONSOLE_URL",
        Url("origin such as `https://hawser.example.net`, or empty", sign_in.check_console_url),
        "",
        "where browsers open the console; an OpenID Connect provider sends them back there",
    ),
)
_OIDC: Final = (
    Setting("HAWSER_OIDC_NAME", Text("text of 1 to 40 characters", r".{1,40}"), "OpenID Connect", "name on the button"),
    Setting(
        "HAWSER_OIDC_ISSUER",
        Url("`https://id.example.net/realms/ops`, or empty", sign_in.check_issuer),
        "",
        "OpenID Connect provider, as its discovery document writes it; empty: none",
    ),
    Setting("HAWSER_OIDC_CLIENT_ID", Text("text without blanks", r"\S*"), "", "the console's id at the provider"),
    Setting("HAWSER_OIDC_CLIENT_SECRET", Secret("text", sign_in.plain_secret), "", "the console's secret there"),
    Setting(
        "HAWSER_OIDC_SCOPES",
        Text("words separated by blanks, with `openid`", r"(?=.*\bopenid\b)[\w:./-]+( [\w:./-]+)*"),
        "openid profile email offline_access",
        "what the console asks for; some providers give groups only with a scope of their own. Without "
        "`offline_access` sessions end after `HAWSER_PROVIDER_UNCONFIRMED_MINUTES`",
    ),
    Setting(
        "HAWSER_OIDC_PROMPT",
        Choice(("", "login", "consent", "select_account")),
        "",
        "what the provider is told to ask at each sign-in; some give a refresh token only with `consent`",
    ),
    Setting("HAWSER_OIDC_USERNAME_CLAIM", Text("name of a claim", r"[\w.:/-]+"), "preferred_username", "the user name"),
    Setting("HAWSER_OIDC_GROUPS_CLAIM", Text("name of a claim", r"[\w.:/-]+"), "groups", "the list of groups"),
    Setting("HAWSER_OIDC_CA_FILE", Text("a file"), "", "certificates that sign the provider's; empty: the system's"),
    Setting("HAWSER_OIDC_NETWORKS", _NETWORKS, "", "networks of the provider; without it any, also private ones"),
    Setting("HAWSER_OIDC_TIMEOUT_S", Number(0.5, 30), "5", "time limit of one call to the provider"),
)
_LDAP: Final = (
    Setting("HAWSER_LDAP_NAME", Text("text of 1 to 40 characters", r".{1,40}"), "the directory", "its name on pages"),
    Setting(
        "HAWSER_LDAP_URL",
        Url("`ldaps://host:636`, `ldap://host:389` (always with StartTLS), or empty", sign_in.check_ldap_url),
        "",
        "the directory; empty: none",
    ),
    Setting("HAWSER_LDAP_CA_FILE", Text("a file"), "", "certificates that sign the directory's; empty: the system's"),
    Setting("HAWSER_LDAP_BIND_DN", Text("a distinguished name"), "", "account that searches the directory"),
    Setting("HAWSER_LDAP_BIND_PASSWORD", Secret("text", sign_in.plain_secret), "", "its password"),
    Setting("HAWSER_LDAP_USER_BASE", Text("a distinguished name"), "", "where users are searched"),
    Setting(
        "HAWSER_LDAP_USER_FILTER",
        Text("a filter with `{user}` in it", r"\(.*\{user\}.*\)"),
        "(uid={user})",
        "finds a user by the name that was entered. What it does not find is no user: exclude disabled accounts here",
    ),
    Setting("HAWSER_LDAP_USERNAME_ATTRIBUTE", Text("an attribute", r"[\w;-]+"), "uid", "the user name"),
    Setting(
        "HAWSER_LDAP_SUBJECT_ATTRIBUTE",
        Text("an attribute", r"[\w;-]+"),
        "entryUUID",
        "identifies a user for ever, also after a change of name: `entryUUID`, `objectGUID`",
    ),
    Setting("HAWSER_LDAP_GROUP_BASE", Text("a distinguished name"), "", "where groups are searched"),
    Setting(
        "HAWSER_LDAP_GROUP_FILTER",
        Text("a filter with `{dn}` in it", r"\(.*\{dn\}.*\)"),
        "(member={dn})",
        "finds the groups of a user, and of a group",
    ),
    Setting("HAWSER_LDAP_GROUP_ATTRIBUTE", Text("an attribute", r"[\w;-]+"), "cn", "the name of a group"),
    Setting("HAWSER_LDAP_NESTED_GROUPS", Flag(), "0", "members of a group are members of the groups that hold it"),
    Setting(
        "HAWSER_LDAP_FAILURES",
        Number(1, 100, whole=True),
        "3",
        "failed sign-ins with one name that the directory is told of; more are refused here, but from a browser that "
        "the user signed in with before. Keep it below the number at which the directory locks an account",
    ),
    Setting(
        "HAWSER_LDAP_WINDOW_S",
        Number(60, 86_400, whole=True),
        "1800",
        "seconds after the last of them until the directory is asked again; at least the time after which it forgets "
        "failures itself",
    ),
    Setting("HAWSER_LDAP_TIMEOUT_S", Number(0.5, 30), "5", "time limit of one question to the directory"),
)
SIGN_IN: Final = (*_LOCAL, *_OIDC, *_LDAP)
