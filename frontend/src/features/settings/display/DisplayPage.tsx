import { SHORTCUTS } from "@/domain/shortcuts";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { SettingsLayout } from "../console/SettingsLayout";
import { AppearancePanel } from "./AppearancePanel";
import { TimePanel } from "./TimePanel";

/** The keys of the console. */
function ShortcutsPanel() {
  return (
    <Panel title="Keyboard shortcuts" aside="keys navigate and select; none starts an operation">
      <DescriptionList items={SHORTCUTS.map(({ keys, effect }) => [keys, effect] as const)} />
    </Panel>
  );
}

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
