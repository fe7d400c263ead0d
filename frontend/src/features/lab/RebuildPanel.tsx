import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { commands } from "@/api/commands";
import type { Lab } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";

const STATE: Record<Lab["rebuild"]["state"], { tone: Tone; word: string }> = {
  idle: { tone: "neutral", word: "none yet" },
  running: { tone: "info", word: "copying" },
  done: { tone: "ok", word: "copied" },
  failed: { tone: "bad", word: "failed" },
};

/** What an administrator does on a site that was lost, done by the lab: a copy of a living node of the other one. */
export function RebuildPanel({ lab }: { lab: Lab }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState("");
  const living = lab.nodes.filter((node) => node.state === "running");
  const onActive = living.filter((node) => node.site === lab.load.active_site);
  const donor = living.find((node) => node.name === chosen) ?? onActive.at(-1) ?? living.at(-1);
  const { site, cluster = "?" } = lab.nodes.find((node) => node.site !== donor?.site) ?? {};
  const act = useMutation({
    mutationFn: () => commands.labRebuild(site ?? "", donor?.name ?? ""),
    onSettled: () => client.invalidateQueries({ queryKey: ["lab"] }),
  });
  const { state, coordinate, galera, detail } = lab.rebuild;
  const running = state === "running" || act.isPending;
  return (
    <Panel
      title="Rebuild a site"
      aside={<StatusChip tone={STATE[state].tone}>{STATE[state].word}</StatusChip>}
    >
      <NativeSelect
        label="From"
        description={`Every node of ${cluster} is ended and copied anew from this one, closed to writes`}
        value={donor?.name ?? ""}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={living.map((node) => node.name)}
      />
      <Button
        mt={10}
        variant="default"
        loading={running}
        disabled={!donor || !site}
        onClick={() => act.mutate()}
      >
        Copy {cluster} anew from {donor?.name ?? "?"}
      </Button>
      {state === "done" && (
        <ul className="note">
          <li>
            <Copyable text={coordinate} label="the coordinate" /> of {lab.rebuild.donor}
          </li>
          <li>
            <Copyable text={galera} label="the seqno" />
          </li>
        </ul>
      )}
      {detail && <p className="dim note">{detail}</p>}
      {act.isError && <ProblemAlert error={act.error} action="The copy" />}
    </Panel>
  );
}
