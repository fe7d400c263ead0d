import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Node, PlanOptions } from "@/api/types";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Panel } from "@/ui/Panel";
import { NodeChangesTable } from "./NodeChangesTable";
import { PlanRequestPanel } from "./PlanRequestPanel";
import type { TargetProps } from "./types";

type Choice = "reject_queries" | "attest_accounts" | "allow_long_transactions";

const CHOICES: { key: Choice; label: string; description: string }[] = [
  {
    key: "reject_queries",
    label: "Also refuse all queries on the old side: wsrep_reject_queries=ALL",
    description:
      "Stops accounts that could write through read_only. Reads of the old side stop as well; needs SUPER on every node.",
  },
  {
    key: "attest_accounts",
    label: "I attest that no account writes through the fence",
    description:
      "Accounts with SUPER or READ ONLY ADMIN are not held by read_only. The checks list them by name where they may be read; where not, they ask for this word, which is recorded under yours.",
  },
  {
    key: "allow_long_transactions",
    label: "Go on although long transactions are open",
    description:
      "What is still open when the fence stands cannot commit: its commit fails. Without this the checks refuse and name them.",
  },
];

const closes = (node: Node) =>
  node.reach === "up" ? (node.read_only ? "stays fenced" : "fenced") : "cannot be fenced: checked";

/** How the old side is fenced; where the writes go is already known. */
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
            becomes={closes}
          />
          <NodeChangesTable
            cluster={link.clusters.standby}
            title={`${link.standby_cluster.name}, standby`}
            aside="takes the writes"
            becomes={(node) => (node.reach === "up" ? "opened last" : "checked")}
          />
        </div>
        <Panel title="How writes are fenced" aside="read_only on every node, always">
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
