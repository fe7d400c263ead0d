import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { LinkDetail, PlanOptions } from "@/api/types";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { EventsChoice } from "./EventsChoice";
import { LostSideFences } from "./LostSideFences";
import { NodeChangesTable } from "./NodeChangesTable";
import { PartitionOverride } from "./PartitionOverride";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

function lossLabel(link: LinkDetail): string {
  const failover = link.readiness.failover;
  const known = failover?.loss_transactions ?? failover?.loss_at_least ?? null;
  const [from, to] = [link.active_cluster.name, link.standby_cluster.name];
  if (known === null)
    return "I accept a data loss of unknown size. The plan states what is known before anything is sent";
  if (known === 0)
    return `I accept the data loss that the plan states. No transaction that was read of ${from} is missing on ${to}; its later writes are unknown`;
  return `I accept the loss of at least ${pluralize(known, "transaction")} of ${from}, and of those that it wrote after it was last read`;
}

interface FenceOnReturnProps {
  link: LinkDetail;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Whether the nodes of the lost side are fenced when they return; confirmed together with the failover. */
function FenceOnReturn({ link, isChecked, onChange }: FenceOnReturnProps) {
  const [lost, survivor] = [link.active_cluster.name, link.standby_cluster.name];
  return (
    <Panel title={`Return of ${lost}`}>
      <Checkbox
        label={`Fence ${lost} when it returns`}
        description={`Hawser sets read_only=ON on each node of ${lost} and stops its channel as soon as the node responds. Without this option applications may write there again, and ${survivor} never receives those writes.`}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** What you attest and accept for a failover. */
export function FailoverTarget({ link, stale }: TargetProps) {
  const [attested, setAttested] = useState<string[]>([]);
  const [options, setOptions] = useState<PlanOptions>({});
  const participants = currentParticipants("failover", link);
  const change = (changed: PlanOptions) => setOptions({ ...options, ...changed });
  return (
    <div className="with-aside">
      <div className="stack">
        <LostSideFences link={link} attested={attested} onAttest={setAttested} />
        <PartitionOverride
          link={link}
          isChecked={options.override_partition ?? false}
          onChange={(override_partition) => change({ override_partition })}
        />
        <Panel title="Data loss">
          <Checkbox
            label={lossLabel(link)}
            description="Without this option a plan that loses data is refused. The confirmation page states the loss again."
            checked={options.accept_loss ?? false}
            onChange={(event) => change({ accept_loss: event.currentTarget.checked })}
          />
        </Panel>
        <EventsChoice
          from={link.active_cluster.name}
          to={link.standby_cluster.name}
          options={options}
          onChange={setOptions}
        />
        <FenceOnReturn
          link={link}
          isChecked={options.fence_on_return ?? true}
          onChange={(fence_on_return) => change({ fence_on_return })}
        />
        <NodeChangesTable
          cluster={link.clusters.standby}
          title={`${link.standby_cluster.name}, standby`}
          aside="becomes active"
          after={(node) => (node.reach === "up" ? "writable" : "unchanged")}
        />
      </div>
      <PlanRequestPanel
        link={link}
        kind="failover"
        options={{ ...options, ...(attested.length > 0 ? { attest_fenced: attested } : {}) }}
        stale={stale}
        disabledReason={null}
        submitLabel={OPERATIONS.failover.check(participants)}
      />
    </div>
  );
}
