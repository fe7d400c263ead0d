import type { AbsentNode } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

interface Verdict {
  tone: Tone;
  label: string;
}

/** What a node would receive if it joined now. */
export const VERDICTS: Record<AbsentNode["verdict"], Verdict> = {
  member: { tone: "ok", label: "synced member" },
  ist: { tone: "ok", label: "away: IST" },
  depends: { tone: "warn", label: "away: IST from some donors" },
  sst: { tone: "bad", label: "away: SST needed" },
  unknown: { tone: "unknown", label: "unknown" },
};
