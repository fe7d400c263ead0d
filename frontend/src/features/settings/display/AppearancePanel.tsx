import { usePreferences } from "@/components/PreferencesProvider";
import { Panel } from "@/ui/Panel";
import { Choice } from "./Choice";

const SCHEMES = [
  { value: "auto", label: "Match system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

const DENSITIES = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

/** Colours and density of the page. */
export function AppearancePanel() {
  const { preferences, change } = usePreferences();
  return (
    <Panel title="Appearance">
      <div className="stack">
        <Choice
          label="Color scheme"
          value={preferences.color_scheme}
          options={SCHEMES}
          onChange={(value) => change({ color_scheme: value })}
        />
        <Choice
          label="Density"
          value={preferences.density}
          options={DENSITIES}
          onChange={(value) => change({ density: value })}
        />
      </div>
    </Panel>
  );
}
