import { Button, NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { NetworkDemand, NetworkVerdict } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import type { Tone } from "@/ui/StatusIcon";
import css from "./Network.module.css";

const TONES: Record<NetworkVerdict["kind"], Tone> = {
  synchronous: "ok",
  synchronous_with_segments: "ok",
  asynchronous: "info",
  unknown: "unknown",
};
type Effect = NetworkVerdict["reasons"][number]["effect"];
const EFFECTS: Record<Effect, { tone: Tone; word: string }> = {
  for: { tone: "ok", word: "For one cluster" },
  against: { tone: "bad", word: "Against" },
  note: { tone: "info", word: "Note" },
  missing: { tone: "unknown", word: "Unknown" },
};

/** What the verdict rests on, in one sentence. */
function restsOn({ rests_on, unsigned }: NetworkVerdict): string {
  if (rests_on === 0) return "Nothing was measured in the last 30 days.";
  const all = `It rests on ${pluralize(rests_on, "measurement")} of the last 30 days`;
  return unsigned === 0 ? `${all}, all signed.` : `${all}; ${unsigned} pasted and not signed.`;
}

function Reasons({ verdict }: { verdict: NetworkVerdict }) {
  return (
    <ul className={css.reasons}>
      {verdict.reasons.map(({ code, effect, sentence }) => (
        <li key={code}>
          <StatusChip tone={EFFECTS[effect].tone}>{EFFECTS[effect].word}</StatusChip>
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  );
}

/** An emptied number field is the text "". */
const numberOr = (value: number | string): number | undefined =>
  typeof value === "number" ? value : undefined;

interface DemandFormProps {
  verdict: NetworkVerdict;
  onDemand: (demand: NetworkDemand) => void;
}

/** What the applications need, by which the figures are judged. */
function DemandForm({ verdict, onDemand }: DemandFormProps) {
  const form = useForm({
    initialValues: {
      max_commit_ms: verdict.max_commit_ms as number | string,
      peak_write_mbit_s: (verdict.peak_write_mbit_s ?? "") as number | string,
    },
    validate: {
      max_commit_ms: (value) => (typeof value === "number" ? null : "Enter milliseconds"),
    },
  });
  const onSubmit = form.onSubmit((values) =>
    onDemand({
      max_commit_ms: numberOr(values.max_commit_ms),
      peak_write_mbit_s: numberOr(values.peak_write_mbit_s),
    }),
  );
  return (
    <form className="row top" onSubmit={onSubmit}>
      <NumberInput
        label="A commit may take (ms)"
        min={0.1}
        max={10_000}
        {...form.getInputProps("max_commit_ms")}
      />
      <NumberInput
        label="Write-sets at their peak (Mbit/s)"
        placeholder="unknown"
        min={0.001}
        max={1_000_000}
        {...form.getInputProps("peak_write_mbit_s")}
      />
      <Button type="submit" variant="default" mt={21}>
        Judge by these
      </Button>
    </form>
  );
}

/** Whether one Galera cluster could span the two sites, and why. */
export function VerdictPanel({ verdict, onDemand }: DemandFormProps) {
  return (
    <>
      <Callout
        tone={TONES[verdict.kind]}
        title={verdict.sentence}
        description={restsOn(verdict)}
        announcement={verdict.sentence}
      />
      <Panel title="Why" aside="The worst figure of each fact counts">
        <div className="stack">
          <Reasons verdict={verdict} />
          <DemandForm verdict={verdict} onDemand={onDemand} />
        </div>
      </Panel>
    </>
  );
}
