import type { Plan } from "@/api/types";
import { useServerTime } from "@/components/use-server-time";
import { shortHash } from "@/lib/format/number";
import { formatElapsed } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import { planState } from "./plan-state";

const EXPIRES_SOON_MS = 30_000;

const ENDED = {
  refused: { tone: "bad", word: "refused" },
  expired: { tone: "warn", word: "expired" },
  used: { tone: "neutral", word: "already run" },
} as const;

/** The state of a plan, with the time left until it expires. */
export function PlanChip({ plan }: { plan: Plan }) {
  const nowMs = useServerTime();
  const state = planState(plan, nowMs);
  const name = `plan ${shortHash(plan.digest, 4)}`;
  if (state !== "ready")
    return (
      <StatusChip tone={ENDED[state].tone}>
        {name} · {ENDED[state].word}
      </StatusChip>
    );
  const leftMs = Date.parse(plan.expires_at) - nowMs;
  return (
    <StatusChip tone={leftMs < EXPIRES_SOON_MS ? "warn" : "info"}>
      {name} · expires in {formatElapsed(leftMs)}
    </StatusChip>
  );
}
