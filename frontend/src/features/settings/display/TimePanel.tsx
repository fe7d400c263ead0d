import { Select } from "@mantine/core";
import { useMemo } from "react";
import { usePreferences } from "@/components/PreferencesProvider";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { useServerTime } from "@/components/use-server-time";
import { formatFull } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { Choice } from "./Choice";
import css from "./Display.module.css";
import { zoneOptions } from "./zones";

const CLOCKS = [
  { value: "24h", label: "24 hours" },
  { value: "12h", label: "12 hours" },
] as const;

function Example() {
  const { zone } = useTimeZone();
  return <span className={css.example}>{formatFull(useServerTime(), zone)}</span>;
}

/** Zone and clock of every time on the page. */
export function TimePanel() {
  const { preferences, change } = usePreferences();
  const { time_zone, time_format } = preferences;
  const zones = useMemo(() => zoneOptions(time_zone), [time_zone]);
  return (
    <Panel title="Time" aside="for your user, in every browser">
      <div className="stack">
        <Select
          label="Time zone"
          maw={340}
          searchable
          allowDeselect={false}
          limit={60}
          data={zones}
          value={time_zone}
          nothingFoundMessage="No such time zone"
          onChange={(value) => value && change({ time_zone: value })}
        />
        <Choice
          label="Clock"
          value={time_format}
          options={CLOCKS}
          onChange={(value) => change({ time_format: value })}
        />
        <p className="dim">
          Server time now: <Example />. The audit export and the API always use UTC.
        </p>
      </div>
    </Panel>
  );
}
