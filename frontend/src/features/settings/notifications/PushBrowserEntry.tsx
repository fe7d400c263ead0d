import { Button } from "@mantine/core";
import { removePushBrowser, useChangePush } from "@/api/resources/push";
import type { PushBrowser } from "@/api/types";
import { ConfirmAction } from "@/components/ConfirmAction";
import { Timestamp } from "@/components/Timestamp";
import { browserName } from "@/features/settings/access/browser-name";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Notifications.module.css";

const KINDS: readonly [keyof PushBrowser, string][] = [
  ["incidents", "incidents"],
  ["approvals", "approvals"],
  ["failed_runs", "failed runs"],
];

function toldOf(browser: PushBrowser): string {
  const chosen = KINDS.filter(([kind]) => browser[kind]).map(([, label]) => label);
  return chosen.join(", ") || "nothing chosen";
}

function Facts({ browser }: { browser: PushBrowser }) {
  return (
    <>
      <div className="dim">
        {toldOf(browser)} · by {browser.push_service} · added <Timestamp at={browser.created_at} />{" "}
        · last sent {browser.last_success_at ? <Timestamp at={browser.last_success_at} /> : "never"}
      </div>
      {browser.failures > 0 && (
        <div className={css.failure}>
          The last attempt failed: {browser.last_error}. Failed attempts in a row:{" "}
          {browser.failures}.
        </div>
      )}
    </>
  );
}

interface PushBrowserEntryProps {
  browser: PushBrowser;
  /** This browser is turned off by its own switch. */
  isOwn: boolean;
  isTesting: boolean;
  test: () => void;
}

/** One browser that receives messages, with the buttons that test and remove it. */
export function PushBrowserEntry({ browser, isOwn, isTesting, test }: PushBrowserEntryProps) {
  const removing = useChangePush();
  const name = browserName(browser.user_agent);
  return (
    <li className={css.entry}>
      <div className={css.facts}>
        <div className="strong" title={browser.user_agent}>
          {name} {isOwn && <StatusChip tone="ok">this browser</StatusChip>}
        </div>
        <Facts browser={browser} />
      </div>
      <Button
        size="xs"
        variant="default"
        loading={isTesting}
        onClick={test}
        aria-label={`Send a test notification to ${name}`}
      >
        Send a test notification
      </Button>
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
          It receives no more messages. You can turn them on again in that browser.
        </ConfirmAction>
      )}
    </li>
  );
}
