import { SettingsLayout } from "../console/SettingsLayout";
import { SessionsPanel } from "./SessionsPanel";

/** The browsers in which the user is signed in. */
export function SessionsPage() {
  return <SettingsLayout title="Sessions">{() => <SessionsPanel />}</SettingsLayout>;
}
