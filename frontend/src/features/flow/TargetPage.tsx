import { Button, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import type { LinkDetail } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { type Candidate, offNodeName, suggestedPair } from "@/components/candidates";
import { FactsAge, isStale, useAge } from "@/components/clock";
import { FlowFrame, flowTitle } from "@/components/FlowFrame";
import { Go } from "@/components/Go";
import { LinkPicture } from "@/components/LinkPicture";
import { Loaded } from "@/components/Loaded";
import { ProblemNotice } from "@/components/ProblemNotice";
import { WhyNot } from "@/components/WhyNot";
import { nodeStatus } from "@/lib/nodeState";
import { serverNow } from "@/lib/time";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { reasonToSend } from "./planText";
import css from "./TargetPage.module.css";
import { checksUrl, flowUrl, useLinkFlow, usePlanning } from "./useFlow";

interface ChoiceProps {
  legend: string;
  hint: string;
  candidates: readonly Candidate[];
  chosen: string | null;
  standing: string | null;
  onChoose: (id: string) => void;
}

function NodeChoice({ legend, hint, candidates, chosen, standing, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <Panel title={legend} aside={hint}>
      <div className={css.choices} role="radiogroup" aria-label={legend}>
        {candidates.map(({ node, because }) => {
          const status = nodeStatus(node, node.age_s, serverNow());
          return (
            <label key={node.id} className={css.choice}>
              <input
                type="radio"
                name={name}
                value={node.id}
                checked={chosen === node.id}
                disabled={because !== null}
                onChange={() => onChoose(node.id)}
                aria-label={node.name}
              />
              <span>
                <span className={css.name}>{node.name}</span>
                {standing === node.id && <span className="dim"> · holds the link now</span>}
                <span className={css.line}>
                  <br />
                  {because ?? status.line}
                </span>
              </span>
              <Chip tone={status.tone}>{status.word}</Chip>
            </label>
          );
        })}
      </div>
    </Panel>
  );
}

interface TargetProps {
  link: LinkDetail;
  readAt: number;
  asked: { source?: string | undefined; replica?: string | undefined };
}

function Target({ link, readAt, asked }: TargetProps) {
  const [picked, setPicked] = useState(asked);
  const [reason, setReason] = useState("");
  const age = useAge(link.age_s, readAt);
  const stale = isStale(age);
  const choice = suggestedPair(link, picked, serverNow());
  const planning = usePlanning(link.id, checksUrl);
  const nameOf = (list: readonly Candidate[], id: string | null) =>
    list.find((c) => c.node.id === id)?.node.name ?? null;
  const sourceName = nameOf(choice.sources, choice.source);
  const replicaName = nameOf(choice.replicas, choice.replica);
  const ready = choice.source !== null && choice.replica !== null;
  const wish = {
    kind: "relocate" as const,
    reason: reasonToSend(reason),
    options: ready ? { source_node: choice.source ?? "", replica_node: choice.replica ?? "" } : {},
  };
  const because = stale
    ? "The facts are older than 5 s; wait until they are read again."
    : ready
      ? null
      : "On one side no node is fit to carry the link.";
  const proposal =
    choice.source && choice.replica
      ? {
          sourceNode: choice.source,
          replicaNode: choice.replica,
          label: `both channels: ${sourceName} ⇄ ${replicaName}`,
        }
      : null;
  return (
    <FlowFrame
      title={flowTitle("relocate", link.name, offNodeName(link))}
      place={{ step: "target", kind: "relocate", linkId: link.id, plan: null, run: null }}
      right={<FactsAge ageS={age} />}
    >
      <div className="split even">
        <NodeChoice
          legend={`${link.active_cluster.name}, active`}
          hint="forward is read from this node"
          candidates={choice.sources}
          chosen={choice.source}
          standing={choice.standing.source}
          onChoose={(id) => setPicked({ ...picked, source: id })}
        />
        <NodeChoice
          legend={`${link.standby_cluster.name}, standby`}
          hint="forward is applied on this node"
          candidates={choice.replicas}
          chosen={choice.replica}
          standing={choice.standing.replica}
          onChoose={(id) => setPicked({ ...picked, replica: id })}
        />
      </div>
      <div className="with-aside">
        <Panel title="What it would become">
          <LinkPicture link={link} ageS={age} stale={stale} proposal={proposal} />
        </Panel>
        <div className="stack">
          <Panel title="Why">
            <TextInput
              label="Reason or ticket"
              description="Goes into the plan, the report and the audit record"
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              maxLength={500}
            />
          </Panel>
          {planning.isError && <ProblemNotice error={planning.error} doing="Planning" />}
          <WhyNot
            because={because}
            loading={planning.isPending}
            onClick={() => planning.mutate(wish)}
          >
            {ready ? `Check ${sourceName} ⇄ ${replicaName}` : "Check the target"}
          </WhyNot>
          <div className="row between">
            <Button variant="default" component={Go} to={flowUrl(link.id, "situation", {})}>
              Back to the situation
            </Button>
            <CurlButton method="POST" path={`/links/${link.id}/plans`} body={wish} />
          </div>
          <p className="faint">The check reads both sides and plans; it changes nothing.</p>
        </div>
      </div>
    </FlowFrame>
  );
}

export function TargetPage() {
  const { search, query } = useLinkFlow("target");
  return (
    <Loaded<LinkDetail> query={query} what="the link">
      {(link) => (
        <Target
          link={link}
          readAt={query.dataUpdatedAt}
          asked={{ source: search.source_node, replica: search.replica_node }}
        />
      )}
    </Loaded>
  );
}
