import { useTestWebhook } from "@/api/resources/webhooks";
import type { Hook } from "@/api/types";
import { TestButton } from "../TestButton";

/** Sends one test call to the webhook. */
export function TestWebhookButton({ hook }: { hook: Hook }) {
  const test = useTestWebhook(hook);
  return <TestButton name={hook.name} test={test} queued={`Test call to ${hook.name} queued.`} />;
}
