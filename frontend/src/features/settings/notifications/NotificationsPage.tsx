import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { pushQuery, useChangePush } from "@/api/resources/push";
import type { Push } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { readNotificationChoice, saveNotificationChoice } from "@/components/notification-choice";
import { ProblemAlert } from "@/components/ProblemAlert";
import { changePush, registeredId, turnOffPush, turnOnPush } from "@/components/push-registration";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ALL_NOTIFICATIONS, type NotificationChoice } from "@/domain/notifications";
import { askForNotifications, notificationSupport } from "@/lib/browser-notifications";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { BrowserPanel } from "./BrowserPanel";
import { permissionObstacle } from "./notification-obstacle";
import { PushBrowserList } from "./PushBrowserList";
import { PushSwitch } from "./PushSwitch";

/** Where the user receives messages while the console is closed. */
function PushBrowsersPanel({ ownId }: { ownId: string | null }) {
  const query = useQuery(pushQuery());
  return (
    <Panel title="Your browsers" aside="messages while the console is closed">
      <QueryBoundary<Push> query={query} label="your browsers">
        {({ subscriptions }) => <PushBrowserList browsers={subscriptions} ownId={ownId} />}
      </QueryBoundary>
    </Panel>
  );
}

/** Why a change of Web Push failed: refused by the server, or not possible in this browser. */
function PushFailure({ error }: { error: Error }) {
  if (error instanceof Problem) return <ProblemAlert error={error} action="change Web Push" />;
  return (
    <Callout
      live
      tone="bad"
      title="Web Push could not be changed in this browser."
      description={error.message}
    />
  );
}

/** What this browser is told of, and whether it may show it. */
function useBrowserChoice() {
  const [choice, setChoice] = useState(readNotificationChoice);
  const [support, setSupport] = useState(notificationSupport);
  const save = async (next: NotificationChoice) => {
    setChoice(next);
    saveNotificationChoice(next);
    const answer = support === "default" ? await askForNotifications() : support;
    setSupport(answer);
    return answer;
  };
  return { choice, support, save };
}

function Notifications() {
  const { choice, support, save } = useBrowserChoice();
  const [ownId, setOwnId] = useState(registeredId);
  const changing = useChangePush();
  const obstacle = permissionObstacle(support);
  const change = (work: () => Promise<unknown>) =>
    changing.mutate(() => work().finally(() => setOwnId(registeredId())));
  const turnOn = async (publicKey: string) => {
    const isEmpty = !Object.values(choice).includes(true);
    const next = isEmpty ? ALL_NOTIFICATIONS : choice;
    if ((await save(next)) === "granted") await turnOnPush(publicKey, next);
  };
  return (
    <>
      {obstacle && <Callout live tone="warn" {...obstacle} />}
      <BrowserPanel
        choice={choice}
        isDisabled={support === "unsupported"}
        onChange={(next) => change(() => save(next).then(() => changePush(next)))}
      >
        <PushSwitch
          ownId={ownId}
          isBlocked={obstacle !== null}
          isPending={changing.isPending}
          turnOn={(publicKey) => change(() => turnOn(publicKey))}
          turnOff={() => change(turnOffPush)}
        />
        {changing.isError && <PushFailure error={changing.error} />}
      </BrowserPanel>
      <PushBrowsersPanel ownId={ownId} />
      <Panel title="Without a browser">
        <p>
          Hawser calls the <AppLink to="/settings/webhooks">webhooks</AppLink> of a link for each of
          its events. Connect one to your pager or chat.
        </p>
      </Panel>
    </>
  );
}

/** Of what this browser notifies, and what else there is. */
export function NotificationsPage() {
  return <SettingsLayout title="Notifications">{() => <Notifications />}</SettingsLayout>;
}
