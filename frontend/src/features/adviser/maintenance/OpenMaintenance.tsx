import { TextInput } from "@mantine/core";
import { useEndMaintenance } from "@/api/resources/node-maintenance";
import type { NodeMaintenance } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ChangeDialog } from "@/components/ChangeDialog";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { showSuccess } from "@/components/toast";
import { useRefusal } from "@/components/use-refusal";
import { useServerForm } from "@/components/use-server-form";
import { formatNumber } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { DescriptionList } from "@/ui/DescriptionList";
import { formatSpan } from "./span";
import { stageTitle } from "./stages";

interface Props {
  maintenance: NodeMaintenance;
}

function timeLeft({ time_left: time, freeze_seqno: frozen }: NodeMaintenance) {
  if (frozen !== null) return "as long as the donor keeps its write-sets";
  if (time === null) return null;
  if (time.seconds !== null) return formatSpan(time.seconds);
  return time.state === "unlimited" ? "no limit" : `unknown: ${time.reason}`;
}

function freezeText({
  freeze_seqno: seqno,
  unfrozen_at: ended,
  donor_name: donor,
}: NodeMaintenance) {
  if (seqno === null) return `not possible: the provider of ${donor} has no such option`;
  return ended ? "ended" : `from seqno ${formatNumber(seqno)} on`;
}

function EndForm({ maintenance, close }: Props & { close: () => void }) {
  const end = useEndMaintenance(maintenance.id);
  const { form, submit, problem } = useServerForm({ initialValues: { reason: "" } });
  const send = submit(async ({ reason }) => {
    await end.mutateAsync({ reason: reason.trim() });
    showSuccess(`The maintenance of ${maintenance.node_name} is ending.`);
    close();
  });
  return (
    <form className="stack" onSubmit={send}>
      {problem !== null && <ProblemAlert error={problem} action="end the maintenance" />}
      <p className="dim">
        Hawser no longer watches the node, and ends a freeze of the donor within seconds. The node
        itself is neither started nor stopped.
      </p>
      <TextInput
        label="Reason"
        description="Recorded in the audit log"
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps("reason")}
      />
      <div className="row">
        <DisabledReasonButton type="submit" loading={end.isPending} disabledReason={null}>
          End maintenance
        </DisabledReasonButton>
      </div>
    </form>
  );
}

/** Where the open maintenance stands, what the operator does next, and its end before its time. */
export function OpenMaintenance({ maintenance }: Props) {
  const { stage, donor_name: donor, unfreeze_error: error } = maintenance;
  const refusal = useRefusal("run");
  const isWatched = stage === "waiting_stop" || stage === "away";
  return (
    <Callout
      tone={error ? "warn" : "info"}
      live
      title={stageTitle(maintenance)}
      description={
        <div className="stack">
          {isWatched && (
            <p>
              Before it starts again, name its donor in its configuration:{" "}
              <code>wsrep_sst_donor = {donor},</code>
            </p>
          )}
          {error && (
            <p>
              The gcache of {donor} is still frozen: {error}. Hawser tries again.
            </p>
          )}
          <DescriptionList
            items={[
              ["Time until an SST", timeLeft(maintenance)],
              ["Freeze of the gcache", freezeText(maintenance)],
              ["Watched until", <Timestamp key="until" at={maintenance.until} />],
              ["Left", maintenance.left_at && <Timestamp at={maintenance.left_at} />],
              [
                "Prepared by",
                <AppLink key="run" to="/runs/$runId" params={{ runId: maintenance.run_id }}>
                  {maintenance.opened_by}
                </AppLink>,
              ],
            ]}
          />
        </div>
      }
      actions={
        <ChangeDialog
          label="End maintenance"
          title={`End maintenance of ${maintenance.node_name}`}
          disabledReason={refusal ?? (isWatched ? null : "It is being prepared, or is ending.")}
        >
          {(close) => <EndForm maintenance={maintenance} close={close} />}
        </ChangeDialog>
      }
    />
  );
}
