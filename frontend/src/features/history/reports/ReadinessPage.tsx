import { Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { readinessReportQuery } from "@/api/resources/reports";
import type { Period } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { fromInputTime, toInputTime } from "@/lib/format/input-time";
import { serverNow } from "@/lib/server-clock";
import { lastQuarter, recentQuarters } from "./quarters";
import { ReportLayout } from "./ReportLayout";

interface PeriodProps {
  period: Period;
  onChange: (period: Period) => void;
}

function Quarters({ period, onChange }: PeriodProps) {
  return (
    <Group gap={8} role="group" aria-label="Quarter">
      {recentQuarters(serverNow()).map(({ label, since, until }) => (
        <Button
          key={label}
          size="xs"
          variant={period.since === since && period.until === until ? "filled" : "default"}
          aria-pressed={period.since === since && period.until === until}
          onClick={() => onChange({ since, until })}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

function PeriodForm({ period, onChange }: PeriodProps) {
  const form = useForm({
    initialValues: {
      since: toInputTime(period.since, "utc"),
      until: toInputTime(period.until, "utc"),
    },
  });
  const send = form.onSubmit(({ since, until }) =>
    onChange({ since: fromInputTime(since, "utc"), until: fromInputTime(until, "utc") }),
  );
  const props = { type: "datetime-local", size: "xs", w: 190 } as const;
  return (
    <form onSubmit={send} className="row" aria-label="Period">
      <TextInput {...props} label="From (UTC)" required {...form.getInputProps("since")} />
      <TextInput {...props} label="To (UTC)" {...form.getInputProps("until")} />
      <Button type="submit" size="xs" variant="default" mt={22}>
        Show period
      </Button>
    </form>
  );
}

/** What a link achieved in a period, for auditors; without one it is the last whole quarter. */
export function ReadinessPage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/readiness" });
  const period = useSearch({ from: "/shell/links/$linkId/readiness" });
  const navigate = useNavigate();
  const query = useQuery(readinessReportQuery(linkId, period));
  const shown = period.since || period.until ? period : lastQuarter(serverNow());
  const change = (search: Period) =>
    void navigate({ to: "/links/$linkId/readiness", params: { linkId }, search });
  return (
    <ReportLayout
      query={query}
      heading="Readiness report"
      path={`/links/${linkId}/readiness-report`}
      period={period}
    >
      <div className="stack">
        <AppLink to="/links/$linkId" params={{ linkId }}>
          Back to the link
        </AppLink>
        <Quarters period={shown} onChange={change} />
        <PeriodForm key={JSON.stringify(shown)} period={shown} onChange={change} />
      </div>
    </ReportLayout>
  );
}
