import { Button } from "@mantine/core";
import { useTestPush } from "@/api/resources/push";
import type { PushBrowser, PushTest } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";

function Refused({ outcome, name }: { outcome: PushTest; name: string }) {
  return (
    <p role="alert">
      {name} was not reached: {outcome.error}.{" "}
      {outcome.is_removed &&
        "Its push service no longer knows it, so it was removed. Turn Web Push on again there."}
    </p>
  );
}

/** Sends one message to the browser; that its push service refuses it is an outcome, not an error. */
export function TestPushButton({ browser, name }: { browser: PushBrowser; name: string }) {
  const test = useTestPush();
  const onSuccess = ({ is_accepted }: PushTest) => {
    if (is_accepted) showSuccess(`${browser.push_service} accepted the test notification.`);
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate(browser.id, { onSuccess })}
        aria-label={`Send a test notification to ${name}`}
      >
        Send a test notification
      </Button>
      {test.data?.is_accepted === false && <Refused outcome={test.data} name={name} />}
      {test.isError && <ProblemAlert error={test.error} action="send a test notification" />}
    </>
  );
}
