/** A webhook in words: when it is called, for what, and how its last call went. */
import type { CreateHookRequest, Delivery, Hook, HookPhase } from "@/api/types";
import { operationLabel } from "@/domain/operations";
import type { Status } from "@/domain/status";
import { formatDuration } from "@/lib/format/time";

export const PHASES: readonly { value: HookPhase; label: string }[] = [
  { value: "before", label: "Before an act" },
  { value: "after", label: "After an act" },
  { value: "event", label: "On events" },
];

/** "before switchover, failover", "after every act", "on node.lost… events, from warning on". */
export function webhookTrigger(hook: Pick<Hook, "phase" | "kinds" | "min_severity">): string {
  if (hook.phase === "event") {
    const which = hook.kinds.length === 0 ? "every event" : `${hook.kinds.join(", ")}… events`;
    return `on ${which}, from ${hook.min_severity} on`;
  }
  const kinds = hook.kinds.map((kind) => operationLabel(kind).toLowerCase());
  return `${hook.phase} ${kinds.length === 0 ? "every act" : kinds.join(", ")}`;
}

/** How a call went, as a status and a line; a call that got no answer is not one that was refused. */
export function deliveryStatus(delivery: Delivery): Status & { line: string } {
  const took = delivery.ms === null ? "" : `, ${formatDuration(delivery.ms / 1000)}`;
  const answer =
    delivery.status === null ? delivery.error || "no answer" : `HTTP ${delivery.status}`;
  const tries = delivery.attempts > 1 ? `, ${delivery.attempts} tries` : "";
  const line = `${answer}${took}${tries}`;
  switch (delivery.state) {
    case "delivered":
      return { tone: "ok", word: "taken", line };
    case "failed":
      return { tone: "bad", word: "not taken", line };
    case "pending":
      return { tone: "info", word: "waits", line: tries ? line : "not sent yet" };
  }
}

/** What a form begins with: a webhook that exists, or an empty one. */
export function webhookDefaults(hook: Hook | null): CreateHookRequest {
  return {
    name: hook?.name ?? "",
    url: hook?.url ?? "",
    secret: "",
    phase: hook?.phase ?? "before",
    kinds: hook?.kinds ?? [],
    blocking: hook?.blocking ?? false,
    timeout_s: hook?.timeout_s ?? 10,
    min_severity: hook?.min_severity ?? "warning",
    enabled: hook?.enabled ?? true,
  };
}

/** Why a draft cannot be sent yet; null when it can. An existing webhook keeps its secret unless a new one is given. */
export function validateWebhook(draft: CreateHookRequest, existing: boolean): string | null {
  if (!draft.name.trim()) return "Give it a name.";
  if (!/^https?:\/\/\S+$/.test(draft.url)) return "Give the URL it listens on.";
  if (!draft.secret && existing) return null;
  if (draft.secret.length < 16)
    return "The secret signs every call: at least 16 characters, known to both ends.";
  return null;
}
