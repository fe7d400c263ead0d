import { Button } from "@mantine/core";
import { commands } from "@/api/commands";
import type { LabVerdict } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";
import { useLabAction } from "./use-lab-action";

function toneOf(verdict: LabVerdict): Tone {
  if (verdict.state !== "done") return "info";
  if (verdict.clean === null) return "unknown";
  if (verdict.clean) return "ok";
  return verdict.lost_only_as_accepted ? "warn" : "bad";
}

const METHOD =
  "Every write acknowledged to a client is kept outside all databases, and compared with every node, transaction by transaction. The load goes on meanwhile.";

const SENTENCE: Record<LabVerdict["state"], string> = {
  idle: "Was anything lost or applied twice? Not judged yet.",
  running: "Judging: each acknowledged write is looked for on every node.",
  done: "The verdict has no line.",
};

export function VerificationPanel({ verdict }: { verdict: LabVerdict }) {
  const act = useLabAction(() => commands.labVerify());
  const busy = act.isPending || verdict.state === "running";
  return (
    <>
      <Callout
        live
        tone={toneOf(verdict)}
        title={verdict.summary || SENTENCE[verdict.state]}
        description={`${verdict.acceptance} ${METHOD}`.trim()}
        actions={
          <Button loading={busy} onClick={() => act.mutate(undefined)}>
            {verdict.state === "done" ? "Judge again" : "Give the verdict"}
          </Button>
        }
      />
      {act.isError && <ProblemAlert error={act.error} action="The verdict" />}
      {verdict.state === "done" && Object.keys(verdict.details).length > 0 && (
        <details>
          <summary>Transaction by transaction</summary>
          <pre>{JSON.stringify(verdict.details, null, 2)}</pre>
        </details>
      )}
    </>
  );
}
