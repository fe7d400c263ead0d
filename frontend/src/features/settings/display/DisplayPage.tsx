import { SettingsLayout } from "../console/SettingsLayout";
import { AppearancePanel } from "./AppearancePanel";
import { ShortcutsPanel } from "./ShortcutsPanel";
import { TimePanel } from "./TimePanel";

/** How the page shows things to this user, and its keys. */
export function DisplayPage() {
  return (
    <SettingsLayout title="Display">
      {() => (
        <>
          <TimePanel />
          <AppearancePanel />
          <ShortcutsPanel />
        </>
      )}
    </SettingsLayout>
  );
}
