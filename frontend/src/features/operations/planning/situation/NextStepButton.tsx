import type { LinkDetail, PlanKind } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import type { StepLink } from "@/components/workflow/step-link";
import { usePlanLink } from "@/components/workflow/workflow-view";
import { OPERATIONS, type Participants } from "@/domain/operations";
import { stoppedChannels } from "@/domain/participants";
import { useCreatePlan } from "@/features/operations/planning/shared/use-create-plan";

interface NextStepButtonProps {
  link: LinkDetail;
  kind: PlanKind;
  participants: Participants;
  disabledReason: string | null;
  /** Null where the target is chosen on this page. */
  targetLink: StepLink | null;
}

/** Leads to the target page; where an operation has nothing to choose, it creates the plan. */
export function NextStepButton(props: NextStepButtonProps) {
  const { link, kind, participants, disabledReason, targetLink } = props;
  const planning = useCreatePlan(link.id, usePlanLink("checks"));
  const texts = OPERATIONS[kind];
  if (texts.choose !== null)
    return targetLink === null ? null : (
      <DisabledReasonButton disabledReason={disabledReason} link={targetLink}>
        {texts.choose(participants)}
      </DisabledReasonButton>
    );
  const action = link.primary_action;
  const options = action?.kind === kind ? action.url_options : {};
  const alone = kind === "start_channel" ? stoppedChannels(link) : [];
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
      {alone.length > 1 &&
        alone.map(({ direction, replica_name }) => (
          <DisabledReasonButton
            key={direction}
            variant="default"
            disabledReason={planning.refusal ?? disabledReason}
            onClick={() => planning.create({ kind, options: { direction } })}
            loading={planning.isPending}
          >
            {`Check the channel on ${replica_name} alone`}
          </DisabledReasonButton>
        ))}
    </>
  );
}
