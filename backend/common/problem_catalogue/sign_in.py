"""Sign-in by a provider or directory."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

_NOT_IN = "You are not signed in. Nothing was stored but a record in the audit log."
ENTRIES = (
    ProblemEntry(
        code="provider_unavailable",
        statuses=(503,),
        title="Provider not available",
        what_happened="The OpenID Connect provider or the directory did not answer in time, or not as it should.",
        what_it_means="No user can sign in by it now. Sessions that exist go on for an hour; local users can sign in.",
        what_to_do=(
            "Try again. If it lasts, sign in as a local user, and check the address, certificate and reachability of "
            "the provider ([sign-in by a provider](../how-to/sign-in-by-provider.md))."
        ),
    ),
    ProblemEntry(
        code="provider_refused",
        statuses=(403,),
        title="Sign-in at the provider not accepted",
        what_happened="The answer of the provider was refused: by the provider itself, or by a check of its token.",
        what_it_means=_NOT_IN,
        what_to_do="Begin the sign-in again, in one window. If it repeats, give the reason to an administrator.",
    ),
    ProblemEntry(
        code="no_role_by_group",
        statuses=(403,),
        title="No group with a role",
        what_happened="None of your groups at the provider or directory is in `HAWSER_GROUP_ROLES`.",
        what_it_means="You are not signed in. Sessions and tokens that you had have ended.",
        what_to_do="Ask for membership of such a group, then sign in again.",
    ),
    ProblemEntry(
        code="provider_name_taken",
        statuses=(409,),
        title="Name belongs to another user",
        what_happened="Hawser has another user of this name: a local one, or one of another account at the provider.",
        what_it_means="You are not signed in. The other user was not changed: accounts are never joined by name.",
        what_to_do="Have an administrator disable or rename one of the two, or set another claim as the user name.",
    ),
    ProblemEntry(
        code="provider_name_refused",
        statuses=(403,),
        title="Name not usable",
        what_happened="Your user name at the provider has characters, or a length, that no user of Hawser may have.",
        what_it_means=_NOT_IN,
        what_to_do="Have another claim or attribute set as the user name (`HAWSER_OIDC_USERNAME_CLAIM`).",
    ),
    ProblemEntry(
        code="user_disabled",
        statuses=(403,),
        title="User disabled",
        what_happened="The provider knows you, and an administrator of Hawser has disabled your user.",
        what_it_means=_NOT_IN,
        what_to_do="Ask an administrator to enable the user.",
    ),
    ProblemEntry(
        code="local_sign_in_closed",
        statuses=(403,),
        title="Local passwords for emergencies only",
        what_happened=(
            "`HAWSER_LOCAL_SIGN_IN` is `break_glass`, and the user is not listed in `HAWSER_BREAK_GLASS_USERS`."
        ),
        what_it_means=_NOT_IN,
        what_to_do="Sign in by the provider. In an emergency use the user that is listed.",
    ),
    ProblemEntry(
        code="managed_by_provider",
        statuses=(409,),
        title="Decided by the provider",
        what_happened="Role or password of a user was to be changed that a provider or directory decides on.",
        what_it_means="The user is unchanged.",
        what_to_do="Change groups or password there. To keep the user out at once, disable the user here.",
    ),
    ProblemEntry(
        code="not_of_provider",
        statuses=(409,),
        title="Local user",
        what_happened="A local user was to be declared the same person as another user.",
        what_it_means="Nothing was changed.",
        what_to_do="Declare it at the user who comes from the provider.",
    ),
    ProblemEntry(
        code="logout_token_refused",
        statuses=(400,),
        title="Logout token not accepted",
        what_happened="A call of the back channel came with a logout token that is not valid, or was used before.",
        what_it_means="No session was ended.",
        what_to_do="Check issuer, client and clock of the provider; the reason is in the audit log.",
    ),
)
