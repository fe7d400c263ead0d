"""Kinds about the console itself: webhooks, the two-person rule, the audit log and the database."""

from __future__ import annotations

from backend.common.events.event_catalogue.entry import EventKind
from backend.core.findings import Severity

_CHANGE_LINK = "an approval rule names its link, other changes are events of the console as a whole"

CONSOLE = (
    EventKind(
        kind="hook.failed",
        severities=(Severity.WARNING,),
        sent_when=(
            "A webhook did not accept the call of a run, a notification was given up, or some recipients of an e-mail "
            "were refused. Never sent to webhooks and destinations."
        ),
        message="The webhook proxies did not accept a call (switchover): HTTP 503.",
        run_id="the run, if the call was a step of one",
    ),
    EventKind(
        kind="protected_change.announced",
        severities=(Severity.WARNING,),
        sent_when=f"A change that the two-person rule protects was requested and waits ({_CHANGE_LINK}).",
        message=(
            "carl (approver) was added by anna and is to count as a second person. "
            "It takes effect at 2026-11-26 03:04 UTC."
        ),
        actor="who requested the change",
    ),
    EventKind(
        kind="protected_change.confirmed",
        severities=(Severity.WARNING,),
        sent_when="A second administrator confirmed the change. It is in effect.",
        message="dora confirmed: carl (approver) was added by anna and is to count as a second person.",
        actor="who confirmed it",
    ),
    EventKind(
        kind="protected_change.rejected",
        severities=(Severity.WARNING,),
        sent_when="An administrator rejected the change, or it was withdrawn.",
        message="dora rejected: carl (approver) was added by anna and is to count as a second person.",
        actor="who rejected it",
    ),
    EventKind(
        kind="protected_change.effective",
        severities=(Severity.WARNING,),
        sent_when="The waiting time of the change is over, or is set to 0. It is in effect.",
        message="In effect after its waiting time: carl (approver) was added by anna …",
        actor="who requested the change",
    ),
    EventKind(
        kind="change_calendar.create",
        severities=(Severity.INFO,),
        sent_when="A change window or a freeze was added.",
        message="anna added the freeze year end: closing of the books",
        actor="who added it",
        is_of_console=True,
    ),
    EventKind(
        kind="change_calendar.delete",
        severities=(Severity.WARNING,),
        sent_when="A change window or a freeze was deleted: planned operations may start at other times.",
        message="anna deleted the freeze year end: the books are closed",
        actor="who deleted it",
        is_of_console=True,
    ),
    EventKind(
        kind="second_factor.added",
        severities=(Severity.INFO,),
        sent_when="A user added an authenticator app or a passkey.",
        message="nora added the passkey “Laptop” as a second factor.",
        actor="the user",
    ),
    EventKind(
        kind="second_factor.reused",
        severities=(Severity.WARNING,),
        sent_when="A code of an app or a recovery code was given again after it was used.",
        message="A code of nora was given again after it was used. If it was not nora, change the password.",
        actor="the user whose code it is",
        is_of_console=True,
    ),
    EventKind(
        kind="second_factor.removed",
        severities=(Severity.WARNING,),
        sent_when="A user removed a second factor, or an administrator removed all of a user's.",
        message="The second factors of nora were removed by anna. The user's sessions and tokens ended.",
        actor="who removed it",
    ),
    EventKind(
        kind="sign_in.break_glass",
        severities=(Severity.WARNING,),
        sent_when="A local user signed in while local passwords are for emergencies only (`HAWSER_LOCAL_SIGN_IN`).",
        message="anna signed in with a local password, which is for emergencies only.",
        actor="the user",
    ),
    EventKind(
        kind="account.password_changed",
        severities=(Severity.WARNING,),
        sent_when="A user changed the own password, or an administrator set one. The event does not hold it.",
        message="The password of carl was changed by anna. If this was not intended, …",
        actor="who changed it",
        is_of_console=True,
    ),
    EventKind(
        kind="token.ends_soon",
        severities=(Severity.WARNING,),
        sent_when="A token that was made for more than 15 days ends within 14 days. Once for each token.",
        message="The token “ci” of nora ends on 2026-12-11 09:00 UTC. Rotate it under Account, Tokens, …",
        actor="the owner of the token",
        is_of_console=True,
    ),
    EventKind(
        kind="account.changed",
        severities=(Severity.WARNING,),
        sent_when="The role of a user changed, or a user was disabled or enabled.",
        message="carl has the role approver instead of viewer. The change was made by anna. If this …",
        actor="who changed it",
        is_of_console=True,
    ),
    EventKind(
        kind="audit.damaged",
        severities=(Severity.BLOCKER,),
        sent_when="The monitor's verification found a damaged audit record.",
        message="The audit log is damaged at record 17 (rewritten): its hash is not that of its content.",
        is_of_console=True,
    ),
    EventKind(
        kind="audit.not_forwarded",
        severities=(Severity.WARNING,),
        sent_when="A receiver of the audit log could not be reached, once until it is reached again.",
        message="The audit log does not reach its receiver (syslog): [Errno 111] Connection refused. …",
        is_of_console=True,
    ),
    EventKind(
        kind="audit.forwarded_again",
        severities=(Severity.INFO,),
        sent_when="A receiver of the audit log that was not reached has all of it again.",
        message="The audit log reaches its receiver (syslog) again, and nothing is missing there.",
        is_of_console=True,
    ),
    EventKind(
        kind="database.restored",
        severities=(Severity.BLOCKER,),
        sent_when=(
            "A backup was restored, or the audit log ends before a number that it had reached. All sessions and tokens "
            "were ended."
        ),
        message="The console's database was restored: its audit log ends at 900 and had reached 1000. …",
        is_of_console=True,
    ),
)
