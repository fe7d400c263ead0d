import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Node, PlanOptions } from "@/api/types";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import { EventsChoice } from "./EventsChoice";
import { NodeChangesTable } from "./NodeChangesTable";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

type Choice = "reject_queries" | "attest_accounts" | "allow_long_transactions";

const CHOICES: { key: Choice; label: string; description: string }[] = [
  {
    key: "reject_queries",
    label: "Also reject all queries on the old side (wsrep_reject_queries=ALL)",
    description:
      "This option stops accounts that can write despite read_only. Reads on the old side stop as well. The operator account needs SUPER on every node.",
  },
  {
    key: "attest_accounts",
    label: "I attest that no account writes through the fence",
    description:
      "read_only does not stop accounts with SUPER or READ ONLY ADMIN. The checks list these accounts. If the list cannot be read, the checks require this attestation. The attestation is recorded under your name.",
  },
  {
    key: "allow_long_transactions",
    label: "Continue although long transactions are open",
    description:
      "A transaction that is still open once writes are fenced fails at its commit. Without this option the checks list these transactions and refuse the plan.",
  },
];

function fenceAfter({ reach, read_only }: Node): string {
  if (reach !== "up") return "unreachable: cannot be fenced";
  return read_only ? "stays fenced" : "fenced";
}

/** How the old side is fenced. */
export function SwitchoverTarget({ link, stale }: TargetProps) {
  const [options, setOptions] = useState<PlanOptions>({});
  const participants = currentParticipants("switchover", link);
  return (
    <div className="with-aside">
      <div className="stack">
        <div className="split even">
          <NodeChangesTable
            cluster={link.clusters.active}
            title={`${link.active_cluster.name}, active`}
            aside="becomes the standby"
            after={fenceAfter}
          />
          <NodeChangesTable
            cluster={link.clusters.standby}
            title={`${link.standby_cluster.name}, standby`}
            aside="becomes active"
            after={(node) => (node.reach === "up" ? "writable" : "unreachable")}
          />
        </div>
        <Panel title="Fencing" aside="read_only=ON on every node, always">
          <div className="stack attest">
            {CHOICES.map(({ key, label, description }) => (
              <Checkbox
                key={key}
                label={label}
                description={description}
                checked={options[key] ?? false}
                onChange={(event) => setOptions({ ...options, [key]: event.currentTarget.checked })}
              />
            ))}
          </div>
        </Panel>
        <EventsChoice
          from={link.active_cluster.name}
          to={link.standby_cluster.name}
          options={options}
          onChange={setOptions}
        />
      </div>
      <PlanRequestPanel
        link={link}
        kind="switchover"
        options={options}
        stale={stale}
        disabledReason={null}
        submitLabel={OPERATIONS.switchover.check(participants)}
      />
    </div>
  );
}
