import { Button } from "@mantine/core";
import { useVerifyLab } from "@/api/resources/lab";
import type { LabVerdict } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Callout } from "@/ui/Callout";
import type { Tone } from "@/ui/StatusIcon";

function toneOf(verdict: LabVerdict): Tone {
  if (verdict.state !== "done") return "info";
  if (verdict.clean === null) return "unknown";
  if (verdict.clean) return "ok";
  return verdict.lost_only_as_accepted ? "warn" : "bad";
}

const METHOD =
  "Hawser records every acknowledged write outside all databases and looks for it on every node. The load keeps running.";

const SENTENCE: Record<LabVerdict["state"], string> = {
  idle: "Not verified yet.",
  running: "Verifying each acknowledged write on every node.",
  done: "The verification returned no summary.",
};

/** Whether acknowledged writes were lost or applied twice. */
export function VerificationPanel({ verdict }: { verdict: LabVerdict }) {
  const verify = useVerifyLab();
  const isBusy = verify.isPending || verdict.state === "running";
  return (
    <>
      <Callout
        live
        tone={toneOf(verdict)}
        title={verdict.summary || SENTENCE[verdict.state]}
        description={`${verdict.acceptance} ${METHOD}`.trim()}
        actions={
          <Button loading={isBusy} onClick={() => verify.mutate()}>
            {verdict.state === "done" ? "Verify again" : "Verify all writes"}
          </Button>
        }
      />
      {verify.isError && <ProblemAlert error={verify.error} action="verify the writes" />}
      {verdict.state === "done" && Object.keys(verdict.details).length > 0 && (
        <details>
          <summary>Details</summary>
          <pre>{JSON.stringify(verdict.details, null, 2)}</pre>
        </details>
      )}
    </>
  );
}
