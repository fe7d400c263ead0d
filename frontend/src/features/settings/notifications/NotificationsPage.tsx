import { AppLink } from "@/components/AppLink";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { BrowserPanel } from "./BrowserPanel";

/** Of what this browser notifies, and what else there is. */
export function NotificationsPage() {
  return (
    <SettingsLayout title="Notifications">
      {() => (
        <>
          <BrowserPanel />
          <Panel title="While no page is open">
            <p>
              Hawser calls the <AppLink to="/settings/webhooks">webhooks</AppLink> of a link for
              each of its events. Connect one to your pager or chat: it works without a browser.
            </p>
          </Panel>
        </>
      )}
    </SettingsLayout>
  );
}
