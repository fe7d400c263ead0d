import { useState } from "react";
import { useChangePush } from "@/api/resources/push";
import { AppLink } from "@/components/AppLink";
import { readNotificationChoice, saveNotificationChoice } from "@/components/notification-choice";
import { changePush } from "@/components/push-registration";
import { ALL_NOTIFICATIONS, type NotificationChoice } from "@/domain/notifications";
import { askForNotifications, notificationSupport } from "@/lib/browser-notifications";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { BrowserPanel } from "./BrowserPanel";
import { permissionObstacle } from "./notification-obstacle";
import { PushPanel } from "./PushPanel";

function Notifications() {
  const [choice, setChoice] = useState(readNotificationChoice);
  const [support, setSupport] = useState(notificationSupport);
  const obstacle = permissionObstacle(support);
  const changing = useChangePush();
  const store = async (next: NotificationChoice) => {
    setChoice(next);
    saveNotificationChoice(next);
    const answer = support === "default" ? await askForNotifications() : support;
    setSupport(answer);
    return answer;
  };
  const change = async (next: NotificationChoice) => {
    await store(next);
    changing.mutate(() => changePush(next));
  };
  const prepare = async () => {
    const isEmpty = !Object.values(choice).includes(true);
    const next = isEmpty ? ALL_NOTIFICATIONS : choice;
    return (await store(next)) === "granted" ? next : null;
  };
  return (
    <>
      {obstacle && <Callout live tone="warn" {...obstacle} />}
      <BrowserPanel
        choice={choice}
        isDisabled={support === "unsupported"}
        onChange={(next) => void change(next)}
      />
      <PushPanel changing={changing} isBlocked={obstacle !== null} prepare={prepare} />
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
