import { SHORTCUTS } from "@/domain/shortcuts";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";

/** The keys of the console. */
export function ShortcutsPanel() {
  return (
    <Panel title="Keyboard shortcuts" aside="keys navigate and select; none starts an operation">
      <DescriptionList items={SHORTCUTS.map(({ keys, effect }) => [keys, effect] as const)} />
    </Panel>
  );
}
