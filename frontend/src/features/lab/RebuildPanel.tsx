import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useRebuildLabSite } from "@/api/resources/lab";
import type { Lab } from "@/api/types";
import { DisabledReasonButton } from "@/components/DisabledReasonButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";

const STATE: Record<Lab["rebuild"]["state"], { tone: Tone; word: string }> = {
  idle: { tone: "neutral", word: "not started" },
  running: { tone: "info", word: "copying" },
  done: { tone: "ok", word: "copied" },
  failed: { tone: "bad", word: "failed" },
};

/** The nodes to copy from, the chosen one, and the cluster that is rebuilt. */
function sourceAndTarget(lab: Lab, chosen: string) {
  const running = lab.nodes.filter((node) => node.state === "running");
  const onActive = running.filter((node) => node.site === lab.load.active_site);
  const source = running.find((node) => node.name === chosen) ?? onActive.at(-1) ?? running.at(-1);
  const target = lab.nodes.find((node) => node.site !== source?.site);
  return { running, source, target };
}

function BackupPosition({ rebuild }: { rebuild: Lab["rebuild"] }) {
  return (
    <ul className="note">
      <li>
        <Copyable text={rebuild.coordinate} label="the binlog position" /> on {rebuild.donor}
      </li>
      <li>
        <Copyable text={rebuild.galera} label="the seqno" />
      </li>
    </ul>
  );
}

/** Rebuilds a lost site from a copy of a running node of the other site, as an administrator would. */
export function RebuildPanel({ lab }: { lab: Lab }) {
  const [chosen, setChosen] = useState("");
  const rebuild = useRebuildLabSite();
  const { running, source, target } = sourceAndTarget(lab, chosen);
  const { state, detail } = lab.rebuild;
  const cluster = target?.cluster ?? "unknown";
  const start = () => {
    if (source && target) rebuild.mutate({ site: target.site, donor: source.name });
  };
  return (
    <Panel
      title="Site rebuild"
      aside={<StatusChip tone={STATE[state].tone}>{STATE[state].word}</StatusChip>}
    >
      <NativeSelect
        label="Source node"
        description={`Every node of ${cluster} is stopped, replaced by a copy of this node, and started read-only.`}
        value={source?.name ?? ""}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={running.map((node) => node.name)}
      />
      <DisabledReasonButton
        mt={10}
        variant="default"
        loading={state === "running" || rebuild.isPending}
        disabledReason={source && target ? null : "No node is running."}
        onClick={start}
      >
        Rebuild {cluster} from {source?.name ?? "unknown"}
      </DisabledReasonButton>
      {state === "done" && <BackupPosition rebuild={lab.rebuild} />}
      {detail && <p className="dim note">{detail}</p>}
      {rebuild.isError && <ProblemAlert error={rebuild.error} action={`rebuild ${cluster}`} />}
    </Panel>
  );
}
