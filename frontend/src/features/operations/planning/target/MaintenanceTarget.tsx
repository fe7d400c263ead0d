import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import type { LinkDetail, PlanOptions } from "@/api/types";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

const ADVISED = "";
const [LEAST, MOST, USUAL] = [5, 1440, 120];

const sidesOf = ({ clusters }: LinkDetail) => [clusters.active, clusters.standby];

/** The nodes of the cluster that this node belongs to; none before a node is chosen. */
const membersWith = (link: LinkDetail, node: string | null) =>
  sidesOf(link).find(({ nodes }) => nodes.some(({ id }) => id === node))?.nodes ?? [];

const optionOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

function minutesProblem(minutes: number): string | null {
  const fits = Number.isInteger(minutes) && minutes >= LEAST && minutes <= MOST;
  return fits ? null : `Give whole minutes from ${LEAST} to ${MOST}.`;
}

/** The node that is to be stopped, its donor, and for how long the maintenance is watched. */
export function MaintenanceTarget({ link, stale, requested }: TargetProps) {
  const [node, setNode] = useState<string | null>(requested.source_node ?? null);
  const [donor, setDonor] = useState<string>(ADVISED);
  const [minutes, setMinutes] = useState<number>(USUAL);
  const [acceptSst, setAcceptSst] = useState(false);
  const donors = membersWith(link, node).filter(({ id }) => id !== node);
  const problem = minutesProblem(minutes);
  const options: PlanOptions = {
    ...(node && { maintenance_node: node }),
    ...(donor !== ADVISED && { donor_node: donor }),
    max_minutes: minutes,
    accept_sst: acceptSst,
  };
  return (
    <div className="with-aside">
      <Panel title="Node and donor">
        <div className="stack">
          <Select
            label="Node to stop"
            description="It may hold no channel of a link: relocate first"
            data={sidesOf(link).map(({ name, nodes }) => ({
              group: name,
              items: nodes.map(optionOf),
            }))}
            value={node}
            onChange={(chosen) => {
              setNode(chosen);
              setDonor(ADVISED);
            }}
          />
          <Select
            label="Donor"
            description="The checks say what speaks for and against it"
            data={[{ value: ADVISED, label: "the advised one" }, ...donors.map(optionOf)]}
            value={donor}
            allowDeselect={false}
            onChange={(chosen) => setDonor(chosen ?? ADVISED)}
          />
          <NumberInput
            label="Minutes at most"
            description="Then the watch ends, and with it a freeze of the donor's gcache"
            value={minutes}
            error={problem}
            onChange={(value) => setMinutes(typeof value === "number" ? value : Number.NaN)}
          />
          <Checkbox
            label="I accept that the node may return by SST"
            description="Needed where it may be away only for a time below the threshold. The donor is not Synced while it copies all data."
            checked={acceptSst}
            onChange={(event) => setAcceptSst(event.currentTarget.checked)}
          />
        </div>
      </Panel>
      <PlanRequestPanel
        link={link}
        kind="node_maintenance"
        options={options}
        stale={stale}
        disabledReason={node === null ? "Choose the node to stop." : problem}
        submitLabel={OPERATIONS.node_maintenance.check(
          currentParticipants("node_maintenance", link),
        )}
      />
    </div>
  );
}
