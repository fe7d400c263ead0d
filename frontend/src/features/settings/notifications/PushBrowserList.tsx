import { removePushBrowser, useChangePush } from "@/api/resources/push";
import type { PushBrowser } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { browserName } from "@/features/settings/access/browser-name";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Notifications.module.css";
import { TestPushButton } from "./TestPushButton";

const KINDS: readonly [keyof PushBrowser, string][] = [
  ["incidents", "incidents"],
  ["approvals", "approvals"],
  ["failed_runs", "failed runs"],
];

function toldOf(browser: PushBrowser): string {
  const chosen = KINDS.filter(([kind]) => browser[kind]).map(([, label]) => label);
  return chosen.join(", ") || "nothing chosen";
}

function PushBrowserEntry({ browser, isOwn }: { browser: PushBrowser; isOwn: boolean }) {
  const removing = useChangePush();
  const name = browserName(browser.user_agent);
  return (
    <li className={css.entry}>
      <div className="grow">
        <div className="strong" title={browser.user_agent}>
          {name} {isOwn && <StatusChip tone="ok">this browser</StatusChip>}
        </div>
        <div className="dim">
          {toldOf(browser)} · by {browser.push_service} · added{" "}
          <Timestamp at={browser.created_at} /> · last delivered{" "}
          {browser.last_success_at ? <Timestamp at={browser.last_success_at} /> : "never"}
        </div>
        {browser.failures > 0 && (
          <div className={css.failure}>
            The last attempt failed: {browser.last_error}. Failed attempts in a row:{" "}
            {browser.failures}.
          </div>
        )}
      </div>
      <TestPushButton browser={browser} name={name} />
      {!isOwn && (
        <ConfirmAction
          label="Remove"
          subject={name}
          title={`Remove ${name}`}
          confirmLabel={`Remove ${name}`}
          action="remove the browser"
          success="Browser removed."
          onConfirm={() => removing.mutateAsync(() => removePushBrowser(browser.id))}
        >
          It gets no more messages. Its user can turn them on again there.
        </ConfirmAction>
      )}
    </li>
  );
}

/** The user's browsers that get messages; this one is turned off above. */
export function PushBrowserList(props: { browsers: readonly PushBrowser[]; ownId: string | null }) {
  if (props.browsers.length === 0)
    return <p className="dim">No browser of yours receives messages.</p>;
  return (
    <ul aria-label="Your browsers">
      {props.browsers.map((browser) => (
        <PushBrowserEntry key={browser.id} browser={browser} isOwn={browser.id === props.ownId} />
      ))}
    </ul>
  );
}
