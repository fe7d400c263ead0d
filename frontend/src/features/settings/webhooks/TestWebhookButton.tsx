import { Button } from "@mantine/core";
import { useTestWebhook } from "@/api/resources/webhooks";
import type { Hook } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";

/** Sends one test call to the webhook; its delivery is listed with the others. */
export function TestWebhookButton({ hook }: { hook: Hook }) {
  const test = useTestWebhook(hook);
  const onSuccess = () => showSuccess(`Test call to ${hook.name} queued.`);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess })}
        aria-label={`Test ${hook.name}`}
      >
        Test
      </Button>
      {test.isError && <ProblemAlert error={test.error} action={`test ${hook.name}`} />}
    </>
  );
}
