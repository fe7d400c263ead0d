import { SegmentedControl } from "@mantine/core";
import type { ClusterConfiguration } from "@/api/types";
import { ReadAt, UnreadNodes } from "@/components/UnreadNodes";
import { LAYOUT_LABELS, needsAttention, PROFILES, SHOWN_SETTINGS } from "@/domain/configuration";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { FragmentsPanel, RestartsPanel } from "./RestartPanels";
import { SettingsTable } from "./SettingsTable";

export interface Choice {
  profile: (typeof PROFILES)[number] | undefined;
  show: (typeof SHOWN_SETTINGS)[number] | undefined;
}

interface ViewProps {
  configuration: ClusterConfiguration;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

const SHOW_LABELS = { attention: "What needs a look", all: "All settings" } as const;

function ProfilePanel({ configuration, choice, onChange }: ViewProps) {
  const fitting = LAYOUT_LABELS[configuration.layout];
  return (
    <Panel title="Profile">
      <div className="stack">
        <div className="row">
          <SegmentedControl
            aria-label="Profile"
            value={choice.profile ?? "fitting"}
            data={[
              { value: "fitting", label: "By its nodes" },
              ...PROFILES.map((value) => ({ value, label: LAYOUT_LABELS[value] })),
            ]}
            onChange={(value) =>
              onChange({ ...choice, profile: PROFILES.find((profile) => profile === value) })
            }
          />
        </div>
        <p className="dim">
          {configuration.layout === "unknown"
            ? "Whether the nodes lie at one site or at two is unknown: they have one segment, and not all of them tell their latency. Choose a profile to compare with it."
            : `By their segments and latency the nodes lie at ${fitting}.`}
        </p>
      </div>
    </Panel>
  );
}

/** The settings of a cluster compared with a profile, and how to change them. */
export function ConfigurationView(props: ViewProps) {
  const { configuration, choice, onChange } = props;
  const { rows, nodes, fragments, restarts } = configuration;
  const show = choice.show ?? "attention";
  const attention = rows.filter(needsAttention);
  const isKnown = nodes.some(({ read_at: readAt }) => readAt !== null);
  return (
    <div className="stack">
      <ReadAt nodes={nodes} />
      <UnreadNodes nodes={nodes} consequence="Their values are unknown, and may differ." />
      {isKnown && (
        <>
          <ProfilePanel {...props} />
          <Panel
            title="Settings"
            aside={`${pluralize(attention.length, "setting")} of ${rows.length} to look at`}
          >
            <div className="stack">
              <div className="row">
                <SegmentedControl
                  aria-label="Settings shown"
                  value={show}
                  data={SHOWN_SETTINGS.map((value) => ({ value, label: SHOW_LABELS[value] }))}
                  onChange={(value) =>
                    onChange({ ...choice, show: SHOWN_SETTINGS.find((one) => one === value) })
                  }
                />
              </div>
              <SettingsTable rows={show === "all" ? rows : attention} />
            </div>
          </Panel>
          <FragmentsPanel fragments={fragments} />
          <RestartsPanel restarts={restarts} />
        </>
      )}
    </div>
  );
}
