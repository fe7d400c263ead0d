import { Button } from "@mantine/core";
import { useRehearse } from "@/api/resources/rehearsals";
import type { Registration, Rehearsal } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { FindingList } from "@/components/FindingList";
import { ProblemAlert } from "@/components/ProblemAlert";
import { firstStepLink } from "@/components/workflow/step-link";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

function Result({ rehearsal }: { rehearsal: Rehearsal }) {
  const isPassed = rehearsal.state === "passed";
  return (
    <div className="stack">
      <Callout
        tone={isPassed ? "ok" : "warn"}
        title={isPassed ? "The rehearsal passed." : "The rehearsal failed."}
        description={rehearsal.sentence}
        live
      />
      <FindingList findings={rehearsal.findings} showCodes />
    </div>
  );
}

/** Two clusters that do not replicate yet: the plan that joins them comes before any rehearsal. */
function CreateChannels({ linkId }: { linkId: string }) {
  return (
    <Panel title="Create the channels" aside="a plan: nothing is changed before you confirm it">
      <div className="stack">
        <p>
          The clusters do not replicate yet. The plan proves that both hold equal data, or that the
          standby is a copy of the active side, and begins replication there.
        </p>
        <div className="row end">
          <ButtonLink {...firstStepLink("situation", linkId, "create_channels")}>
            Create the channels
          </ButtonLink>
        </div>
      </div>
    </Panel>
  );
}

function RehearsalPanel({ linkId, isLinked }: { linkId: string; isLinked: boolean }) {
  const rehearse = useRehearse(linkId);
  return (
    <Panel title="First rehearsal" aside="plans a relocate, and stops before its first write">
      <div className="stack">
        <p className="dim">
          The monitor reads the new link within seconds. A rehearsal before that says what it does
          not know yet.
        </p>
        {!isLinked && (
          <Callout
            tone="warn"
            title="The clusters are not linked in both directions: a rehearsal can only show what is missing."
          />
        )}
        {rehearse.isError && <ProblemAlert error={rehearse.error} action="rehearse" />}
        {rehearse.data && <Result rehearsal={rehearse.data} />}
        <div className="row end">
          <ButtonLink variant="default" to="/links/$linkId" params={{ linkId }}>
            View link
          </ButtonLink>
          <Button
            variant={isLinked ? "filled" : "default"}
            loading={rehearse.isPending}
            onClick={() => rehearse.mutate({ kind: "relocate" })}
          >
            {rehearse.data ? "Rehearse again" : "Rehearse a relocate"}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

/** The end: a rehearsal proves that the link can be operated, without changing anything. */
export function RehearsalStep({ draft }: { draft: Registration }) {
  if (draft.link_id === null)
    return <Panel>The link is not registered yet. Review the open points first.</Panel>;
  return (
    <div className="stack">
      <Callout tone="ok" title={`${draft.link.name} is registered.`} />
      {draft.link.found.state === "not_linked" && <CreateChannels linkId={draft.link_id} />}
      <RehearsalPanel linkId={draft.link_id} isLinked={draft.link.found.state === "linked"} />
    </div>
  );
}
