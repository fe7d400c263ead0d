import { Button, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { fleetQuery } from "@/api/resources/fleet";
import type { HistoryFilter } from "@/api/types";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { OPERATION_KINDS, operationLabel } from "@/domain/operations";
import { RUN_STATES } from "@/domain/run-states";
import { statusFor } from "@/domain/status";
import { fromInputTime, toInputTime } from "@/lib/format/input-time";
import { type Zone, zoneLabel, zoneNameOf } from "@/lib/format/time";

interface FormProps {
  filter: HistoryFilter;
  onChange: (filter: HistoryFilter) => void;
}

function Choices({ filter, onChange }: FormProps) {
  const links = useQuery(fleetQuery());
  const props = { size: "xs", w: 180, clearable: true } as const;
  return (
    <div className="row">
      <Select
        {...props}
        label="Link"
        placeholder="All links"
        data={(links.data?.results ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={filter.link ?? null}
        onChange={(link) => onChange({ ...filter, link: link ?? undefined })}
      />
      <Select
        {...props}
        label="Operation"
        placeholder="All operations"
        data={OPERATION_KINDS.map((value) => ({ value, label: operationLabel(value) }))}
        value={filter.kind ?? null}
        onChange={(kind) => onChange({ ...filter, kind: kind ?? undefined })}
      />
      <Select
        {...props}
        label="Outcome"
        placeholder="All outcomes"
        data={RUN_STATES.map((value) => ({ value, label: statusFor("run", value).word }))}
        value={filter.outcome ?? null}
        onChange={(value) =>
          onChange({ ...filter, outcome: RUN_STATES.find((state) => state === value) })
        }
      />
    </div>
  );
}

function Words({ filter, onChange, zone }: FormProps & { zone: Zone }) {
  const form = useForm({
    initialValues: {
      q: filter.q ?? "",
      person: filter.person ?? "",
      since: toInputTime(filter.since, zone),
      until: toInputTime(filter.until, zone),
    },
  });
  const send = form.onSubmit(({ q, person, since, until }) =>
    onChange({
      ...filter,
      q: q.trim() || undefined,
      person: person.trim() || undefined,
      since: fromInputTime(since, zone),
      until: fromInputTime(until, zone),
    }),
  );
  const time = { type: "datetime-local", size: "xs", w: 190 } as const;
  return (
    <form onSubmit={send} className="row" aria-label="History filter">
      <TextInput
        label="Search"
        placeholder="reason, outcome, node, id"
        size="xs"
        w={220}
        {...form.getInputProps("q")}
      />
      <TextInput
        label="Person"
        placeholder="anybody"
        size="xs"
        w={140}
        {...form.getInputProps("person")}
      />
      <TextInput {...time} label={`From (${zoneLabel(zone)})`} {...form.getInputProps("since")} />
      <TextInput {...time} label={`To (${zoneLabel(zone)})`} {...form.getInputProps("until")} />
      <Button type="submit" size="xs" variant="default" mt={22}>
        Apply filter
      </Button>
      <Button size="xs" variant="subtle" mt={22} onClick={() => onChange({})}>
        Clear filter
      </Button>
    </form>
  );
}

/** Narrows the history; the filter is part of the address. */
export function HistoryFilterForm({ filter, onChange }: FormProps) {
  const { zone } = useTimeZone();
  return (
    <div className="stack no-print">
      <Choices filter={filter} onChange={onChange} />
      <Words
        key={`${zoneNameOf(zone)}${JSON.stringify(filter)}`}
        filter={filter}
        onChange={onChange}
        zone={zone}
      />
    </div>
  );
}
