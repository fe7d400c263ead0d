import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { ClusterConfiguration } from "@/api/types";
import { ReadAt, UnreadNodes } from "@/components/UnreadNodes";
import { LAYOUT_LABELS, needsAttention, PROFILES, SHOWN_SETTINGS } from "@/domain/configuration";
import { plannableRows, toggled } from "@/domain/setting-plans";
import { pluralize } from "@/lib/format/number";
import { Panel } from "@/ui/Panel";
import { HostSettingsPanel } from "./HostSettingsPanel";
import { PlanChangesPanel } from "./PlanChangesPanel";
import { FragmentsPanel, RestartsPanel } from "./RestartPanels";
import { SettingsTable } from "./SettingsTable";

export interface Choice {
  profile: (typeof PROFILES)[number] | undefined;
  show: (typeof SHOWN_SETTINGS)[number] | undefined;
}

interface ViewProps {
  clusterId: string;
  configuration: ClusterConfiguration;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

const SHOW_LABELS = { attention: "What needs a look", all: "All settings" } as const;

function ProfilePanel({ configuration, choice, onChange }: Omit<ViewProps, "clusterId">) {
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
  const { clusterId, configuration, choice, onChange } = props;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { rows, nodes, fragments, restarts } = configuration;
  const show = choice.show ?? "attention";
  const attention = rows.filter(needsAttention);
  const plannable = plannableRows(rows);
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
              <SettingsTable
                rows={show === "all" ? rows : attention}
                ticked={ticked}
                onTick={(name) => setTicked((before) => toggled(before, name))}
              />
              {plannable.length > 0 && (
                <PlanChangesPanel
                  clusterId={clusterId}
                  rows={plannable.filter(({ name }) => ticked.has(name))}
                />
              )}
            </div>
          </Panel>
          <FragmentsPanel fragments={fragments} />
          <RestartsPanel restarts={restarts} />
        </>
      )}
      <HostSettingsPanel
        clusterId={clusterId}
        command={configuration.host_settings_command}
        profile={configuration.profile}
      />
    </div>
  );
}
