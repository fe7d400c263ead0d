import type { LinkDetail, PlanKind } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { planChecksLink, type StepLink } from "@/components/workflow/step-link";
import { OPERATIONS, type Participants } from "@/domain/operations";
import { useCreatePlan } from "@/features/operations/shared/use-create-plan";

interface NextStepButtonProps {
  link: LinkDetail;
  kind: PlanKind;
  participants: Participants;
  disabledReason: string | null;
  targetLink: StepLink;
}

/** Leads to the target page; where an operation has nothing to choose, it creates the plan. */
export function NextStepButton(props: NextStepButtonProps) {
  const { link, kind, participants, disabledReason, targetLink } = props;
  const planning = useCreatePlan(link.id, planChecksLink);
  const texts = OPERATIONS[kind];
  if (texts.choose !== null)
    return (
      <DisabledReasonButton disabledReason={disabledReason} link={targetLink}>
        {texts.choose}
      </DisabledReasonButton>
    );
  const action = link.primary_action;
  const options = action?.kind === kind ? action.url_options : {};
  return (
    <>
      {planning.isError && <ProblemAlert error={planning.error} action="create the plan" />}
      <DisabledReasonButton
        disabledReason={planning.refusal ?? disabledReason}
        onClick={() => planning.create({ kind, options })}
        loading={planning.isPending}
      >
        {texts.check(participants)}
      </DisabledReasonButton>
    </>
  );
}
