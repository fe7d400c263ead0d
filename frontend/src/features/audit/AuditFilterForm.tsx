import { Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { AuditFilter } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { fromInputTime, rangeStart, toInputTime } from "@/lib/format/input-time";
import { type Zone, zoneLabel, zoneNameOf } from "@/lib/format/time";
import { serverNow } from "@/lib/server-clock";

const HOUR_MS = 3_600_000;

const QUICK_RANGES = [
  { label: "Last hour", durationMs: HOUR_MS },
  { label: "Last 24 hours", durationMs: 24 * HOUR_MS },
  { label: "Last 7 days", durationMs: 7 * 24 * HOUR_MS },
] as const;

const TEXT_FIELDS = [
  { key: "actor", label: "User", placeholder: "any user" },
  { key: "action", label: "Action", placeholder: "runs:run:start" },
  { key: "link", label: "Link ID", placeholder: "any link" },
  { key: "run", label: "Run ID", placeholder: "any run" },
] as const;

interface FormProps {
  filter: AuditFilter;
  zone: Zone;
  onChange: (filter: AuditFilter) => void;
}

/** Ranges that end now; a click applies one at once. */
function QuickRanges({ filter, onChange }: Omit<FormProps, "zone">) {
  const apply = (durationMs: number) =>
    onChange({ ...filter, since: rangeStart(durationMs, serverNow()), until: undefined });
  return (
    <Group gap={10} role="group" aria-label="Time range">
      {QUICK_RANGES.map(({ label, durationMs }) => (
        <Button key={label} size="xs" variant="default" onClick={() => apply(durationMs)}>
          {label}
        </Button>
      ))}
    </Group>
  );
}

function FilterFields({ filter, zone, onChange }: FormProps) {
  const form = useForm({
    initialValues: {
      actor: filter.actor ?? "",
      action: filter.action ?? "",
      link: filter.link ?? "",
      run: filter.run ?? "",
      since: toInputTime(filter.since, zone),
      until: toInputTime(filter.until, zone),
    },
  });
  const send = form.onSubmit(({ actor, action, link, run, since, until }) =>
    onChange({
      actor: actor || undefined,
      action: action || undefined,
      link: link || undefined,
      run: run || undefined,
      since: fromInputTime(since, zone),
      until: fromInputTime(until, zone),
    }),
  );
  const timeProps = { type: "datetime-local", size: "xs", w: 190 } as const;
  return (
    <form onSubmit={send} className="stack" aria-label="Audit filter">
      <div className="row">
        {TEXT_FIELDS.map(({ key, label, placeholder }) => (
          <TextInput
            key={key}
            label={label}
            placeholder={placeholder}
            size="xs"
            w={150}
            {...form.getInputProps(key)}
          />
        ))}
        <TextInput
          {...timeProps}
          label={`From (${zoneLabel(zone)})`}
          {...form.getInputProps("since")}
        />
        <TextInput
          {...timeProps}
          label={`To (${zoneLabel(zone)})`}
          {...form.getInputProps("until")}
        />
      </div>
      <div className="row">
        <Button type="submit" size="xs" variant="default">
          Apply filter
        </Button>
        <Button size="xs" variant="subtle" onClick={() => onChange({})}>
          Clear filter
        </Button>
        <QuickRanges filter={filter} onChange={onChange} />
      </div>
    </form>
  );
}

/** Narrows the audit records by user, action, link, run and time; the filter is part of the address. */
export function AuditFilterForm({ filter, onChange }: Omit<FormProps, "zone">) {
  const { zone } = useTimeZone();
  return (
    <FilterFields
      key={`${zoneNameOf(zone)}${JSON.stringify(filter)}`}
      filter={filter}
      zone={zone}
      onChange={onChange}
    />
  );
}
