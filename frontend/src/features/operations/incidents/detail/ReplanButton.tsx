import { usePlanIncident } from "@/api/resources/incidents";
import type { Incident } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useCan } from "@/components/use-session";

/** New plans of all links that can have one, with current data; the incident is confirmed again afterwards. */
export function ReplanButton({ incident }: { incident: Incident }) {
  const mayPlan = useCan("plan");
  const planning = usePlanIncident(incident.id);
  if (!mayPlan || incident.state === "running" || incident.state === "aborted") return null;
  const isBusy = incident.items.some((item) => item.state === "planning");
  const isDone =
    incident.state === "ended" && incident.progress.succeeded === incident.progress.total;
  if (isDone) return null;
  return (
    <>
      {planning.isError && <ProblemAlert error={planning.error} action="make new plans" />}
      <DisabledReasonButton
        variant="default"
        disabledReason={isBusy ? "Plans are being made." : null}
        loading={planning.isPending}
        onClick={() => planning.mutate({})}
      >
        Plan again with current data
      </DisabledReasonButton>
    </>
  );
}
