import type { NodeMaintenance } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

interface Shown {
  tone: Tone;
  label: string;
}

/** How a maintenance ended. */
export const RESULTS: Record<NonNullable<NodeMaintenance["result"]>, Shown> = {
  ist: { tone: "ok", label: "IST" },
  sst: { tone: "warn", label: "SST" },
  undecided: { tone: "unknown", label: "IST or SST" },
  not_stopped: { tone: "warn", label: "not stopped" },
  not_returned: { tone: "bad", label: "not returned" },
  not_prepared: { tone: "warn", label: "not prepared" },
  ended_early: { tone: "info", label: "ended by a person" },
};

/** What the operator does next, by where the maintenance stands. */
export function stageTitle({ stage, node_name: node }: NodeMaintenance): string {
  switch (stage) {
    case "preparing":
      return `The maintenance of ${node} is being prepared. Do not stop it yet.`;
    case "waiting_stop":
      return `${node} may be stopped now.`;
    case "away":
      return `${node} is away. Start it again when you are done.`;
    default:
      return `The maintenance of ${node} is ending.`;
  }
}
