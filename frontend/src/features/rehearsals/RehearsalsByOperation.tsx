import { Button } from "@mantine/core";
import { useRehearse } from "@/api/resources/rehearsals";
import type { LinkDetail, Rehearsal, RehearsedKind } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { useTimeZone } from "@/components/TimeZoneProvider";
import { useCan } from "@/components/use-session";
import { operationLabel } from "@/domain/operations";
import { formatEstimate, formatFull } from "@/lib/format/time";
import { Panel } from "@/ui/Panel";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Rehearsals.module.css";
import { REHEARSED, resultOf } from "./rehearsal-status";
import { TREND_HEIGHT, TREND_WIDTH, trendOf } from "./sparkline";

/** How long a run would have taken, over the rehearsals; failures are hexagons on the base line. */
function DurationSparkline({ rehearsals }: { rehearsals: readonly Rehearsal[] }) {
  const { zone } = useTimeZone();
  const trend = trendOf(
    rehearsals,
    (entry) =>
      `${formatFull(entry.at, zone)}: ${resultOf(entry).word}, ${formatEstimate(entry.estimate_s)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${TREND_WIDTH} ${TREND_HEIGHT}`}
      className={css.trend}
      role="img"
      aria-label={trend.words}
    >
      <path d={`M0 ${TREND_HEIGHT - 6}H${TREND_WIDTH}`} className={css.base} />
      <path d={trend.line} className={css.line} />
      {trend.points.map((point) => (
        <g key={point.x} transform={`translate(${point.x} ${point.y})`}>
          <title>{point.title}</title>
          {point.ok ? (
            <circle r={2.6} className={css.passed} />
          ) : (
            <path d="M-2.6 -4.5h5.2L5.2 0 2.6 4.5h-5.2L-5.2 0z" className={css.failed} />
          )}
        </g>
      ))}
    </svg>
  );
}

interface KindRowProps {
  link: LinkDetail;
  kind: RehearsedKind;
  rehearsals: readonly Rehearsal[];
  current: boolean;
}

function KindRow({ link, kind, rehearsals, current }: KindRowProps) {
  const mayPlan = useCan("plan");
  const rehearse = useRehearse(link.id);
  const latest = rehearsals[0];
  const result = latest && resultOf(latest);
  return (
    <>
      <tr>
        <td className="nowrap">
          <AppLink
            to="/links/$linkId/rehearsals"
            params={{ linkId: link.id }}
            search={{ kind: current ? undefined : kind }}
            aria-current={current}
          >
            {operationLabel(kind)}
          </AppLink>
        </td>
        <td className="nowrap">
          {result ? (
            <StatusChip tone={result.tone}>{result.word}</StatusChip>
          ) : (
            <StatusChip tone="neutral">never rehearsed</StatusChip>
          )}
        </td>
        <td>
          {rehearsals.length > 1 && <DurationSparkline rehearsals={rehearsals} />}
          <div className="dim">{latest?.sentence}</div>
        </td>
        <td className="num">
          {mayPlan && (
            <Button
              size="xs"
              variant="default"
              loading={rehearse.isPending}
              onClick={() => rehearse.mutate({ kind })}
              aria-label={`Rehearse a ${operationLabel(kind).toLowerCase()} now`}
            >
              Rehearse now
            </Button>
          )}
        </td>
      </tr>
      {rehearse.isError && (
        <tr>
          <td colSpan={4}>
            <ProblemAlert error={rehearse.error} action="Rehearsing" />
          </td>
        </tr>
      )}
    </>
  );
}

/** Each kind with its latest result, its trend, and the button that rehearses it now. */
export function RehearsalsByOperation(props: {
  link: LinkDetail;
  rehearsals: readonly Rehearsal[];
  kind: string | undefined;
}) {
  const { link, rehearsals, kind } = props;
  return (
    <Panel title="By kind" aside="the line: how long a run would take">
      <div className="scroll">
        <table className="grid">
          <thead className="sr-only">
            <tr>
              <th>Kind</th>
              <th>Latest result</th>
              <th>Trend</th>
              <th>Rehearse</th>
            </tr>
          </thead>
          <tbody>
            {REHEARSED.map((entry) => (
              <KindRow
                key={entry}
                link={link}
                kind={entry}
                rehearsals={rehearsals.filter((r) => r.kind === entry)}
                current={entry === kind}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
