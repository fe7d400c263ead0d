"""Sign-in, tokens and users."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="not_authenticated",
        statuses=(401,),
        title="Sign-in required",
        what_happened="The request came without a session or an API token.",
        what_it_means="Nothing was stored or sent to a server. An expired session gives the same answer.",
        what_to_do="Sign in again, or send the header `Authorization: Bearer TOKEN`.",
    ),
    ProblemEntry(
        code="authentication_failed",
        statuses=(401,),
        title="Invalid API token",
        what_happened=(
            "The token is unknown, revoked, expired or not accepted from this address, its owner is disabled, or the "
            "header is malformed."
        ),
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Create a new token. Check that the header reads `Authorization: Bearer TOKEN`.",
    ),
    ProblemEntry(
        code="wrong_credentials",
        statuses=(
            401,
            403,
        ),
        title="Sign-in failed",
        what_happened=(
            "The user name or the password is wrong. 403 means that the present password was wrong when you changed it."
        ),
        what_it_means=(
            "You are not signed in, or your password is unchanged. The attempt counts towards the sign-in limit."
        ),
        what_to_do="Check the name and the password. Have an administrator reset the password if it is lost.",
    ),
    ProblemEntry(
        code="forbidden",
        statuses=(403,),
        title="Not permitted",
        what_happened="Your role on this link or cluster, or the role of the token, does not include this action.",
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Use an account with the role that `detail` names, or ask an administrator for that role.",
    ),
    ProblemEntry(
        code="csrf_failed",
        statuses=(403,),
        title="CSRF check failed",
        what_happened=(
            "The request came with a session cookie but without a matching CSRF token, or from another origin."
        ),
        what_it_means="Nothing was stored or sent to a server.",
        what_to_do="Reload the page. A client reads the cookie `csrftoken` and sends it as `X-CSRFToken`.",
    ),
    ProblemEntry(
        code="session_needed",
        statuses=(403,),
        title="Sign-in with password required",
        what_happened=(
            "The request was made with an API token, and a token can neither change a password or second factor nor "
            "add a browser to Web Push."
        ),
        what_it_means="Password and second factors are unchanged, and no browser was added.",
        what_to_do="Sign in and do it there.",
    ),
    ProblemEntry(
        code="too_many_attempts",
        statuses=(429,),
        title="Too many sign-in attempts",
        what_happened="This name or this address has had too many failed sign-ins or codes (`HAWSER_LOGIN_LIMIT`).",
        what_it_means="The password or code was not checked. Sessions and tokens that exist still work.",
        what_to_do=(
            "Wait for `Retry-After`, use a browser that you used before, or have an administrator unlock the name."
        ),
    ),
    ProblemEntry(
        code="sign_in_busy",
        statuses=(503,),
        title="Sign-in busy",
        what_happened="Too many passwords are checked at once, or many attempts are made on this name.",
        what_it_means="The password was not checked. Sessions and tokens that exist still work.",
        what_to_do="Try again in a few seconds. Use an API token if it is urgent.",
    ),
    ProblemEntry(
        code="token_makes_no_token",
        statuses=(403,),
        title="Token cannot create tokens",
        what_happened="The request to create a token was made with an API token.",
        what_it_means="No token was created.",
        what_to_do="Sign in with your password and create the token there.",
    ),
    ProblemEntry(
        code="too_many_tokens",
        statuses=(409,),
        title="Token limit reached",
        what_happened="The user already has as many valid tokens as one user may have.",
        what_it_means="No token was created.",
        what_to_do="Revoke a token that is not needed, then create the new one.",
    ),
    ProblemEntry(
        code="user_exists",
        statuses=(409,),
        title="Name already in use",
        what_happened="A user with this name exists, or one whose name can be mistaken for it.",
        what_it_means="No user was created.",
        what_to_do="Choose a name that cannot be mistaken for another one.",
    ),
    ProblemEntry(
        code="last_administrator",
        statuses=(409,),
        title="Last administrator",
        what_happened="The change would leave Hawser without an active administrator.",
        what_it_means="The user is unchanged.",
        what_to_do="Give another active user the role `admin` first, then repeat the change.",
    ),
    ProblemEntry(
        code="push_not_configured",
        statuses=(409,),
        title="Web Push not configured",
        what_happened="A browser was to be added, and this console has no key for Web Push (`HAWSER_WEB_PUSH_KEY`).",
        what_it_means="The browser was not added. Notifications while a page is open still work.",
        what_to_do="Have the key set in web and worker, then reload the page.",
    ),
    ProblemEntry(
        code="too_many_push_subscriptions",
        statuses=(409,),
        title="Too many browsers",
        what_happened="The user has as many browsers with Web Push as are allowed.",
        what_it_means="The browser was not added.",
        what_to_do="Remove one that is no longer used under Settings, Notifications.",
    ),
    ProblemEntry(
        code="not_service_account",
        statuses=(409,),
        title="Not a service account",
        what_happened="A token was to be created or rotated for a user who is a person.",
        what_it_means="No token was created. With it you could act as that person.",
        what_to_do="Have the user create the token, or create a service account.",
    ),
    ProblemEntry(
        code="token_rotated",
        statuses=(409,),
        title="Token rotated already",
        what_happened="The token has a successor.",
        what_it_means="No token was created. The token ends at its time.",
        what_to_do="Use or rotate the successor: the token whose `rotated_from` is this one.",
    ),
    ProblemEntry(
        code="team_exists",
        statuses=(409,),
        title="Name of a team taken",
        what_happened="Another team has this name.",
        what_it_means="Nothing was changed.",
        what_to_do="Choose another name.",
    ),
    ProblemEntry(
        code="team_in_use",
        statuses=(409,),
        title="Team owns service accounts",
        what_happened="A team was to be deleted that owns a service account.",
        what_it_means="Nothing was changed.",
        what_to_do="Keep the team. To end the access of the service account, disable it.",
    ),
    ProblemEntry(
        code="assignment_exists",
        statuses=(409,),
        title="Role assigned already",
        what_happened="The user or team has this role for this scope.",
        what_it_means="Nothing was changed.",
        what_to_do="To change when it ends, end the role and assign it again.",
    ),
)
