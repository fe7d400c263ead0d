import { useState } from "react";
import { useChangePush } from "@/api/resources/push";
import { AppLink } from "@/components/AppLink";
import { readNotificationChoice, saveNotificationChoice } from "@/components/notification-choice";
import { changePush, registeredId, turnOffPush, turnOnPush } from "@/components/push-registration";
import { ALL_NOTIFICATIONS, type NotificationChoice } from "@/domain/notifications";
import { askForNotifications, notificationSupport } from "@/lib/browser-notifications";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { BrowserPanel } from "./BrowserPanel";
import { permissionObstacle } from "./notification-obstacle";
import { PushBrowsersPanel } from "./PushBrowsersPanel";
import { PushFailure } from "./PushFailure";
import { PushSwitch } from "./PushSwitch";

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
