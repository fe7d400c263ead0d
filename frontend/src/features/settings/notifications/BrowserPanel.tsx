import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { readNotificationChoice, saveNotificationChoice } from "@/components/notification-choice";
import type { NotificationChoice } from "@/domain/notifications";
import { askForNotifications, notificationSupport } from "@/lib/browser-notifications";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";

/** Why this browser shows none, whatever is chosen here. */
const OBSTACLES = {
  denied: {
    title: "This browser blocks notifications of this site.",
    description: "Allow them in the browser's settings of this site, then reload the page.",
  },
  unsupported: {
    title: "This browser cannot show notifications.",
    description:
      "On an iPhone, add Hawser to the home screen first. Elsewhere use a newer browser.",
  },
};

/** Opt-in to notifications of the operating system, for this browser only. */
export function BrowserPanel() {
  const [choice, setChoice] = useState(readNotificationChoice);
  const [support, setSupport] = useState(notificationSupport);
  const obstacle = support === "denied" || support === "unsupported" ? OBSTACLES[support] : null;
  const set = async (change: Partial<NotificationChoice>) => {
    const next = { ...choice, ...change };
    setChoice(next);
    saveNotificationChoice(next);
    if (support === "default") setSupport(await askForNotifications());
  };
  return (
    <>
      {obstacle && <Callout live tone="warn" {...obstacle} />}
      <Panel title="This browser" aside="while a page of the console is open in it">
        <div className="stack">
          <Checkbox
            label="Incidents"
            description="A node or site is down or unreachable, or a channel is broken, on any link."
            checked={choice.incidents}
            disabled={support === "unsupported"}
            onChange={(event) => void set({ incidents: event.currentTarget.checked })}
          />
          <Checkbox
            label="Approvals"
            description="A run waits for the approval of a second person."
            checked={choice.approvals}
            disabled={support === "unsupported"}
            onChange={(event) => void set({ approvals: event.currentTarget.checked })}
          />
        </div>
      </Panel>
    </>
  );
}
