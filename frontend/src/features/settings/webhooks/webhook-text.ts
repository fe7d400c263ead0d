/** Texts of a webhook: its trigger, the state of its deliveries, and what its form needs. */
import type { CreateHookRequest, Delivery, Hook, HookPhase } from "@/api/types";
import { operationLabel } from "@/domain/operations";
import type { Status } from "@/domain/status";
import { formatDuration } from "@/lib/format/time";

export const PHASES: readonly { value: HookPhase; label: string }[] = [
  { value: "before", label: "Before run" },
  { value: "after", label: "After run" },
  { value: "event", label: "On events" },
];

/** "before switchover, failover", "after every operation", "on node.lost… events, severity warning or higher". */
export function webhookTrigger(hook: Pick<Hook, "phase" | "kinds" | "min_severity">): string {
  if (hook.phase === "event") {
    const which = hook.kinds.length === 0 ? "every event" : `${hook.kinds.join(", ")}… events`;
    return `on ${which}, severity ${hook.min_severity} or higher`;
  }
  const kinds = hook.kinds.map((kind) => operationLabel(kind).toLowerCase());
  return `${hook.phase} ${kinds.length === 0 ? "every operation" : kinds.join(", ")}`;
}

/** The outcome of a delivery as a status and a line; no response differs from a refusal. */
export function deliveryStatus(delivery: Delivery, protocol = "HTTP"): Status & { line: string } {
  const took = delivery.ms === null ? "" : `, ${formatDuration(delivery.ms / 1000)}`;
  const answer =
    delivery.status === null
      ? delivery.error || "no response"
      : `${protocol} ${delivery.status}${protocol === "SMTP" && delivery.error ? `: ${delivery.error}` : ""}`;
  const attempts = delivery.attempts > 1 ? `, ${delivery.attempts} attempts` : "";
  const line = `${answer}${took}${attempts}`;
  switch (delivery.state) {
    case "delivered":
      return { tone: "ok", word: "Delivered", line };
    case "failed":
      return { tone: "bad", word: "Failed", line };
    case "pending":
      return { tone: "info", word: "Pending", line: attempts ? line : "not sent yet" };
  }
}

/** The initial values of the form: those of the webhook, or defaults for a new one. */
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

/** Why the form cannot be sent yet; null when it can. An existing webhook keeps its secret unless a new one is entered. */
export function validateWebhook(draft: CreateHookRequest, existing: boolean): string | null {
  if (!draft.name.trim()) return "Enter a name.";
  if (!/^https?:\/\/\S+$/.test(draft.url)) return "Enter the URL of the receiver.";
  if (!draft.secret && existing) return null;
  if (draft.secret.length < 16)
    return "Enter a secret of at least 16 characters. The receiver verifies each call with it.";
  return null;
}
