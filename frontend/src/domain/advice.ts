/** Risks of advice in shape, word and colour. */
import type { AdviceRisk } from "@/api/types";
import type { Tone } from "@/ui/StatusIcon";

export const RISKS: Record<AdviceRisk, { tone: Tone; word: string }> = {
  high: { tone: "bad", word: "high risk" },
  medium: { tone: "warn", word: "medium risk" },
  low: { tone: "info", word: "low risk" },
};
