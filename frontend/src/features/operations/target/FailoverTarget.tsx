import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { LinkDetail, Node, PlanOptions } from "@/api/types";
import { nodeStatus } from "@/domain/node-status";
import { OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { pluralize } from "@/lib/format/number";
import { serverNow } from "@/lib/server-clock";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import { NodeChangesTable } from "./NodeChangesTable";
import { PlanRequestPanel } from "./PlanRequestPanel";
import css from "./TargetPage.module.css";
import type { TargetProps } from "./types";

/** Each node of the lost side: the run fences what answers, a person answers for what does not. */
function Fences(props: {
  link: LinkDetail;
  attested: readonly string[];
  onAttest: (nodes: string[]) => void;
}) {
  const { link, attested, onAttest } = props;
  const lost = link.active_cluster.name;
  const toggle = (node: Node, on: boolean) =>
    onAttest(on ? [...attested, node.id] : attested.filter((id) => id !== node.id));
  return (
    <Panel title={`${lost} must not take writes any more`} aside="node by node">
      <ul className={css.choices}>
        {link.clusters.active.nodes.map((node) => {
          const status = nodeStatus(node, node.age_s, serverNow());
          return (
            <li key={node.id} className={css.fence}>
              <div>
                <span className={css.name}>{node.name}</span>
                <div className={css.line}>{status.line}</div>
              </div>
              {node.reach === "up" ? (
                <span>It answers: the run fences it with read_only, and proves it.</span>
              ) : (
                <Checkbox
                  label={`I attest that ${node.name} is powered off, or cut off from applications and from ${link.standby_cluster.name}`}
                  checked={attested.includes(node.id)}
                  onChange={(event) => toggle(node, event.currentTarget.checked)}
                />
              )}
              <StatusChip tone={status.tone}>{status.word}</StatusChip>
            </li>
          );
        })}
      </ul>
      <p className="dim note">
        A node that cannot be seen counts as possibly running. Power it off or cut its network
        first; your name and this word go into the audit record.
      </p>
    </Panel>
  );
}

function lossLine(link: LinkDetail): string {
  const transactions = link.readiness.failover?.loss_transactions ?? null;
  const [from, to] = [link.active_cluster.name, link.standby_cluster.name];
  if (transactions === null)
    return "I accept a loss whose size is not known yet; the plan states it before anything is sent";
  if (transactions === 0)
    return `I accept the loss the plan will state; nothing that was seen on ${from} is missing on ${to}`;
  return `I accept that at most ${pluralize(transactions, "transaction")} seen on ${from} and not applied on ${to} are lost, and what nobody saw`;
}

function Override(props: { link: LinkDetail; on: boolean; onChange: (on: boolean) => void }) {
  const { link, on, onChange } = props;
  const alive = link.clusters.active.nodes.filter((node) => node.reach === "up");
  // Where nothing answers, the checks ask for the override should the standby still see the site.
  if (alive.length === 0) return null;
  const name = link.active_cluster.name;
  return (
    <Panel tone="bad" title={`${name} is alive`} aside={alive.map((node) => node.name).join(", ")}>
      <p>
        {alive.length === 1 ? "One node" : `${alive.length} nodes`} of {name} still answer. That is
        a cut between the sites, or a site that can be switched over without loss: not a lost site.
        Two sites that take writes at once part for good.
      </p>
      <Checkbox
        mt={10}
        color="red.8"
        label={`Override: fail over although ${name} is alive`}
        description="Its reachable nodes are fenced first, and the run stops if one of them cannot be. Recorded under your name."
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** What becomes of the lost side's nodes as they return: decided, and confirmed, with the failover. */
function OnReturn(props: { link: LinkDetail; on: boolean; onChange: (on: boolean) => void }) {
  const { link, on, onChange } = props;
  const [lost, survivor] = [link.active_cluster.name, link.standby_cluster.name];
  return (
    <Panel title={`When ${lost} returns`}>
      <Checkbox
        label={`Fence ${lost} when it returns`}
        description={`Each of its nodes is set read_only, and its channel stopped, as soon as it is seen. Otherwise its clients may write there again what ${survivor} never receives.`}
        checked={on}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** Who answers for the lost side, and for the loss. */
export function FailoverTarget({ link, stale }: TargetProps) {
  const [attested, setAttested] = useState<string[]>([]);
  const [loss, setLoss] = useState(false);
  const [override, setOverride] = useState(false);
  const [fences, setFences] = useState(true);
  const participants = currentParticipants("failover", link);
  const options: PlanOptions = {
    ...(attested.length > 0 ? { attest_fenced: attested } : {}),
    ...(loss ? { accept_loss: true } : {}),
    ...(override ? { override_partition: true } : {}),
    ...(fences ? {} : { fence_on_return: false }),
  };
  return (
    <div className="with-aside">
      <div className="stack">
        <Fences link={link} attested={attested} onAttest={setAttested} />
        <Override link={link} on={override} onChange={setOverride} />
        <Panel title="The loss">
          <Checkbox
            label={lossLine(link)}
            description="Without this word a plan that loses anything is refused. The confirmation states the loss once more."
            checked={loss}
            onChange={(event) => setLoss(event.currentTarget.checked)}
          />
        </Panel>
        <OnReturn link={link} on={fences} onChange={setFences} />
        <NodeChangesTable
          cluster={link.clusters.standby}
          title={`${link.standby_cluster.name}, standby`}
          aside="takes the writes"
          becomes={(node) => (node.reach === "up" ? "opened for writes" : "not touched")}
        />
      </div>
      <PlanRequestPanel
        link={link}
        kind="failover"
        options={options}
        stale={stale}
        disabledReason={null}
        submitLabel={OPERATIONS.failover.check(participants)}
      />
    </div>
  );
}
