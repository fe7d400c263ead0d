"""Second factors, and the proof that the user of a session is present."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="second_factor_needed",
        statuses=(401,),
        title="Second factor required",
        what_happened="The password was right, and the user has a second factor. `ways` names how it can be given.",
        what_it_means="You are not signed in yet. The sign-in waits for ten minutes.",
        what_to_do="Send a code or a passkey to `POST /api/v1/session/second-factor`, with the same cookie.",
    ),
    ProblemEntry(
        code="second_factor_enrolment_needed",
        statuses=(403,),
        title="Second factor must be added",
        what_happened="The user's role needs a second factor (`HAWSER_SECOND_FACTOR_ROLES`), and the user has none.",
        what_it_means="Nothing was done. This session can only add a second factor.",
        what_to_do="Add an authenticator app or a passkey under Account.",
    ),
    ProblemEntry(
        code="password_change_needed",
        statuses=(403,),
        title="Password must be replaced",
        what_happened="An administrator set the password of the user, who has not replaced it yet.",
        what_it_means="Nothing was done. This session can only change the password.",
        what_to_do="Send the present and a new password to `POST /api/v1/session/password`.",
    ),
    ProblemEntry(
        code="initial_password_ended",
        statuses=(403,),
        title="Initial password ended",
        what_happened="An administrator set the password, and it was not replaced within `HAWSER_INITIAL_PASSWORD_H`.",
        what_it_means="You are not signed in.",
        what_to_do="Ask an administrator for a new password, and replace it at your first sign-in.",
    ),
    ProblemEntry(
        code="notice_not_accepted",
        statuses=(403,),
        title="Agreement required",
        what_happened="The user has not agreed to what is kept of persons (`HAWSER_PRIVACY_NOTICE`).",
        what_it_means="Nothing was done. This session can only read the notice and agree.",
        what_to_do="Send `notice_accepted: true` to `PATCH /api/v1/account/preferences`.",
    ),
    ProblemEntry(
        code="step_up_needed",
        statuses=(403,),
        title="Confirm that it is you",
        what_happened=(
            "The last password or second factor of this session is older than this call allows (`HAWSER_STEP_UP_S`), "
            "or the session has not given the second factor that the role needs. `ways` names how to prove it."
        ),
        what_it_means="Nothing was done. The idempotency key of the call is not used up.",
        what_to_do="Send the proof to `POST /api/v1/session/proof`, then repeat the call unchanged.",
    ),
    ProblemEntry(
        code="wrong_second_factor",
        statuses=(403,),
        title="Wrong code",
        what_happened="The code is wrong, too old, or was used before.",
        what_it_means="Nothing was done. The attempt counts towards the sign-in limit.",
        what_to_do="Wait for the next code of the app and check the clock of the device, or use a recovery code.",
    ),
    ProblemEntry(
        code="passkey_refused",
        statuses=(403,),
        title="Passkey not accepted",
        what_happened=(
            "The passkey is unknown, belongs to another user or host name, did not verify its user, came from a page "
            "of another origin, or its counter did not rise. `detail` says which."
        ),
        what_it_means="Nothing was done. A counter that did not rise can mean that the passkey was copied.",
        what_to_do="Try again or use another way. Remove a passkey that may have been copied.",
    ),
    ProblemEntry(
        code="not_begun",
        statuses=(409,),
        title="Nothing was begun",
        what_happened=(
            "The answer belongs to a challenge that this session did not get, used already, or got too long ago."
        ),
        what_it_means="Nothing was done.",
        what_to_do="Start again. A challenge is valid for five minutes and once.",
    ),
    ProblemEntry(
        code="app_exists",
        statuses=(409,),
        title="Authenticator app already added",
        what_happened="The user has an authenticator app.",
        what_it_means="The app is unchanged.",
        what_to_do="Remove the app first. Add a passkey before, if your role needs a second factor.",
    ),
    ProblemEntry(
        code="too_many_passkeys",
        statuses=(409,),
        title="Passkey limit reached",
        what_happened="The user has as many passkeys as one user may have.",
        what_it_means="The passkey was not added.",
        what_to_do="Remove a passkey that is no longer used.",
    ),
    ProblemEntry(
        code="no_second_factor",
        statuses=(409,),
        title="No second factor",
        what_happened="Recovery codes were to be made for a user without a second factor.",
        what_it_means="No codes were made.",
        what_to_do="Add an authenticator app or a passkey first; the codes come with it.",
    ),
    ProblemEntry(
        code="last_second_factor",
        statuses=(409,),
        title="Last second factor",
        what_happened="The last second factor of a user whose role needs one was to be removed.",
        what_it_means="It was not removed.",
        what_to_do="Add another one first.",
    ),
)
