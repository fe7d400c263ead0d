import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { commands } from "@/api/commands";
import { queries } from "@/api/queries";
import type { Lab, LabNode, LabVerdict } from "@/api/types";
import { Loaded } from "@/components/Loaded";
import { PageHeader } from "@/components/PageHeader";
import { ProblemNotice } from "@/components/ProblemNotice";
import { grouped } from "@/lib/numbers";
import type { Tone } from "@/lib/tone";
import { Chip } from "@/ui/Chip";
import { Panel } from "@/ui/Panel";
import { Statement } from "@/ui/Statement";
import { RebuildPanel } from "./RebuildPanel";

const STATE: Record<LabNode["state"], Tone> = { running: "ok", frozen: "warn", stopped: "bad" };

function useLabAct<T>(act: (arg: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: ["lab"] }),
  });
}

function NodeRow({ node }: { node: LabNode }) {
  const act = useLabAct((action: "kill" | "freeze" | "thaw" | "start") =>
    commands.labNode(node.name, action),
  );
  const button = (
    action: "kill" | "freeze" | "thaw" | "start",
    word: string,
    can: boolean,
  ): ReactNode => (
    <Button
      size="xs"
      variant="default"
      disabled={!can || act.isPending}
      loading={act.isPending && act.variables === action}
      onClick={() => act.mutate(action)}
      aria-label={`${word} ${node.name}`}
    >
      {word}
    </Button>
  );
  return (
    <tr>
      <td className="strong">{node.name}</td>
      <td>
        <Chip tone={STATE[node.state]}>{node.state}</Chip>
      </td>
      <td className="dim">{node.wsrep_state ?? "unknown to the cluster"}</td>
      <td>
        <div className="row end">
          {button("kill", "Kill", node.state !== "stopped")}
          {node.state === "frozen"
            ? button("thaw", "Thaw", true)
            : button("freeze", "Freeze", node.state === "running")}
          {button("start", "Start", node.state === "stopped")}
        </div>
        {act.isError && (
          <ProblemNotice error={act.error} doing={`${node.name}: ${act.variables}`} />
        )}
      </td>
    </tr>
  );
}

function LoadPanel({ load }: { load: Lab["load"] }) {
  const act = useLabAct(commands.labLoad);
  return (
    <Panel
      title="Write load"
      aside={
        <Chip tone={load.running ? "ok" : "neutral"}>
          {load.running ? "writing on both sides" : "stopped"}
        </Chip>
      }
    >
      <table className="grid">
        <tbody>
          {(
            [
              ["Acknowledged", load.acknowledged],
              ["Failed", load.failed],
              ["No answer", load.indeterminate],
              ["Per second", load.rate],
            ] as const
          ).map(([name, value]) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="num">{grouped(Math.round(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        mt={10}
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate(load.running ? "stop" : "start")}
      >
        {load.running ? "Stop the load" : "Start the load"}
      </Button>
      {act.isError && <ProblemNotice error={act.error} doing="The load" />}
    </Panel>
  );
}

function toneOf(verdict: LabVerdict): Tone {
  if (verdict.state !== "done") return "info";
  if (verdict.clean === null) return "unknown";
  return verdict.clean ? "ok" : "bad";
}

const SENTENCE: Record<LabVerdict["state"], string> = {
  idle: "Was anything lost or applied twice? Not judged yet.",
  running: "Judging: each acknowledged write is looked for on every node.",
  done: "The verdict has no line.",
};

function Verdict({ verdict }: { verdict: LabVerdict }) {
  const act = useLabAct(() => commands.labVerify());
  const busy = act.isPending || verdict.state === "running";
  return (
    <>
      <Statement
        live
        tone={toneOf(verdict)}
        sentence={verdict.summary || SENTENCE[verdict.state]}
        detail="Every write acknowledged to a client is kept outside all databases, and compared with every node, transaction by transaction. The load is held meanwhile."
        actions={
          <Button loading={busy} onClick={() => act.mutate(undefined)}>
            {verdict.state === "done" ? "Judge again" : "Give the verdict"}
          </Button>
        }
      />
      {act.isError && <ProblemNotice error={act.error} doing="The verdict" />}
      {verdict.state === "done" && Object.keys(verdict.details).length > 0 && (
        <details>
          <summary>Transaction by transaction</summary>
          <pre>{JSON.stringify(verdict.details, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

/** Demo only: break the two real clusters on purpose, then ask what was lost. */
export function LabPage() {
  const lab = useQuery(queries.lab());
  const verdict = useQuery(queries.labVerdict());
  return (
    <>
      <PageHeader title="Lab">
        {lab.data && <span className="dim">variant {lab.data.variant}</span>}
      </PageHeader>
      <div className="stack">
        <Loaded<LabVerdict> query={verdict} what="the verdict">
          {(answer) => <Verdict verdict={answer} />}
        </Loaded>
        <Loaded<Lab> query={lab} what="the lab">
          {(data) => (
            <div className="split">
              <Panel title="Nodes" aside="kill ends the process at once; freeze leaves it deaf">
                <table className="grid">
                  <tbody>
                    {data.nodes.map((node) => (
                      <NodeRow key={node.name} node={node} />
                    ))}
                  </tbody>
                </table>
              </Panel>
              <div className="stack">
                <LoadPanel load={data.load} />
                <RebuildPanel lab={data} />
              </div>
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}
