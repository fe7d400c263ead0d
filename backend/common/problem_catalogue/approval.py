"""Approval by a second person."""

from __future__ import annotations

from backend.common.problem_catalogue.entry import ProblemEntry

ENTRIES = (
    ProblemEntry(
        code="not_waiting",
        statuses=(409,),
        title="Not waiting for a decision",
        what_happened="The run or the protected change does not wait for an approval any more.",
        what_it_means="Your decision was not recorded. It was decided, expired or ended before.",
        what_to_do="Reload it and read its state before you do anything else.",
    ),
    ProblemEntry(
        code="not_permitted",
        statuses=(403,),
        title="Administrator required",
        what_happened="You confirmed a protected change without the role `admin`.",
        what_it_means="The change is still waiting and has not taken effect.",
        what_to_do="Have an administrator confirm or reject it.",
    ),
    ProblemEntry(
        code="own_run",
        statuses=(403,),
        title="Second approver required",
        what_happened="You requested or resumed this run and cannot approve it as well.",
        what_it_means="The run still waits for approval. Nothing was sent to a server.",
        what_to_do="Have another user with the role `approver` read the plan and approve the run.",
    ),
    ProblemEntry(
        code="already_approved",
        statuses=(403,),
        title="Already approved by you",
        what_happened="The run needs more than one approval, and you have given yours.",
        what_it_means="Your approval stands. The run waits for the approvals that are still missing.",
        what_to_do="Have another user with the role `approver` approve the run as well.",
    ),
    ProblemEntry(
        code="not_named_approver",
        statuses=(403,),
        title="Not a named approver",
        what_happened="The approval rule of the link names who may approve its runs, and you are not among them.",
        what_it_means="The run still waits for approval. Nothing was sent to a server.",
        what_to_do="Have one of the named users decide. The approval rule is in the settings of the link.",
    ),
    ProblemEntry(
        code="too_few_approvers",
        statuses=(422,),
        title="Too few approvers named",
        what_happened="The approval rule names fewer different persons than must approve.",
        what_it_means="The rule was not changed. With it, no run of the link could ever start.",
        what_to_do="Name more approvers, lower the number, or no user: then any approver may approve.",
    ),
    ProblemEntry(
        code="no_common_approver",
        statuses=(409,),
        title="No common approvers",
        what_happened="The run acts on a cluster of several links, and too few users may approve by the rules of all.",
        what_it_means="Nothing was sent. The strictest rule of these links holds, and it could not be kept.",
        what_to_do="Name enough of the same users in the approval rules of the links that the detail names.",
    ),
    ProblemEntry(
        code="other_link_not_permitted",
        statuses=(403,),
        title="No permission on another link",
        what_happened="The plan acts on a cluster that another link joins as well, which your role does not cover.",
        what_it_means="Nothing was sent or approved. What changes a cluster concerns each of its links.",
        what_to_do="Have a user act who has the role on each of these links. `link_id` names the one that is missing.",
    ),
    ProblemEntry(
        code="own_change",
        statuses=(403,),
        title="Second administrator required",
        what_happened="You requested this protected change, or it concerns your own account.",
        what_it_means="The change is still waiting and has not taken effect.",
        what_to_do="Have another administrator confirm it, or wait until it takes effect.",
    ),
    ProblemEntry(
        code="own_change_waits",
        statuses=(409,),
        title="Your protected change still waits",
        what_happened="You were to demote or lock out an administrator while a protected change of yours waits.",
        what_it_means="The account is unchanged: that administrator could object to the change, which `change` names.",
        what_to_do="Have the change decided or reject it, or have another administrator change the account.",
    ),
    ProblemEntry(
        code="own_account",
        statuses=(403,),
        title="Account under your control",
        what_happened="You created, own, owned or set the password of the account that asked, or set the automation.",
        what_it_means="Nothing was approved. Requester and approver could be the same person.",
        what_to_do="Have another user decide. Or have a second administrator confirm the account, then request again.",
    ),
    ProblemEntry(
        code="service_account",
        statuses=(403,),
        title="Service account",
        what_happened="A service account was to decide as a second person.",
        what_it_means="Nothing was approved, confirmed or reviewed.",
        what_to_do="Have a person decide.",
    ),
    ProblemEntry(
        code="own_exception",
        statuses=(403,),
        title="Second reviewer required",
        what_happened="You requested the run or made the exception that is to be reviewed.",
        what_it_means="The exception still waits for its review.",
        what_to_do="Have another user with the role `approver` review it.",
    ),
    ProblemEntry(
        code="shell_user_unmapped",
        statuses=(403,),
        title="Shell account not assigned",
        what_happened="The request was made on the command line by a host account that belongs to no Hawser user.",
        what_it_means="Nothing was approved. Hawser cannot tell whether requester and approver are two persons.",
        what_to_do="Have one administrator assign the host account to a user (Users, accounts of the host) and another "
        "confirm it. Where a change of the requesting account was made at the shell, another administrator can set a "
        "new password of that account instead, or wait until the change took effect; then make the request again.",
    ),
    ProblemEntry(
        code="not_yet_second_person",
        statuses=(403,),
        title="Account too new to approve",
        what_happened="The account or the token has only recently received the right to approve.",
        what_it_means="Nothing was approved. `counts_from` says from when it may approve.",
        what_to_do="Have another approver decide, or have a second administrator confirm the change of the account.",
    ),
    ProblemEntry(
        code="younger_than_request",
        statuses=(403,),
        title="Account newer than the request",
        what_happened="The account received the right to approve after this request was made.",
        what_it_means="Nothing was approved.",
        what_to_do="Have another approver decide, or have the request made again.",
    ),
    ProblemEntry(
        code="nothing_to_review",
        statuses=(409,),
        title="No exception to review",
        what_happened="The run began with an approval, or its exception was reviewed before.",
        what_it_means="Nothing was recorded.",
        what_to_do="Reload the run and read its approvals.",
    ),
    ProblemEntry(
        code="approval_expired",
        statuses=(410,),
        title="Approval too late",
        what_happened="The time for the approval was over (`HAWSER_APPROVAL_WAIT_S`, one hour by default).",
        what_it_means=(
            "A run that had not begun has ended. A run that was to be resumed waits for an operator. Nothing was sent."
        ),
        what_to_do="Create a new plan, or resume the stopped run, and have it approved in time.",
    ),
    ProblemEntry(
        code="requester_not_permitted",
        statuses=(409,),
        title="Requester no longer permitted",
        what_happened=(
            "The user who requested or resumed the run may not run plans any more, or the token of the request ended."
        ),
        what_it_means="The run still waits. Nothing was sent to a server.",
        what_to_do="Abort the run. Have a user with the role `operator` create a new plan.",
    ),
)
