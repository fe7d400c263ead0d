import { useTestPush } from "@/api/resources/push";
import type { PushBrowser, PushTest } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { showSuccess } from "@/components/toast";
import { Callout } from "@/ui/Callout";
import { PushBrowserEntry } from "./PushBrowserEntry";

/** It stands above the list, because a browser that no longer exists leaves the list. */
function Refused({ outcome }: { outcome: PushTest }) {
  return (
    <Callout
      live
      tone="bad"
      title={`The push service did not accept the test notification: ${outcome.error}.`}
      description={
        outcome.is_removed
          ? "The push service no longer knows this browser, so it was removed. Turn Web Push on again in that browser."
          : "Check that the console can reach the push service, and that its key was not replaced."
      }
    />
  );
}

interface PushBrowserListProps {
  browsers: readonly PushBrowser[];
  ownId: string | null;
}

/** The user's browsers that receive messages while the console is closed. */
export function PushBrowserList({ browsers, ownId }: PushBrowserListProps) {
  const test = useTestPush();
  const send = ({ id, push_service }: PushBrowser) =>
    test.mutate(id, {
      onSuccess: ({ is_accepted }) => {
        if (is_accepted) showSuccess(`${push_service} accepted the test notification.`);
      },
    });
  return (
    <div className="stack">
      {test.data?.is_accepted === false && <Refused outcome={test.data} />}
      {test.isError && <ProblemAlert error={test.error} action="send a test notification" />}
      {browsers.length === 0 ? (
        <p className="dim">No browser of yours receives messages.</p>
      ) : (
        <ul>
          {browsers.map((browser) => (
            <PushBrowserEntry
              key={browser.id}
              browser={browser}
              isOwn={browser.id === ownId}
              isTesting={test.isPending && test.variables === browser.id}
              test={() => send(browser)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
