import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { channelErrorQuery } from "@/api/resources/links";
import type { ChannelError, Direction, LinkDetail } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { kindOf, OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { formatPosition } from "@/lib/format/number";
import { formatValue } from "@/lib/format/value";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./ChannelErrorPanel.module.css";
import { sessionsOf, stoppedOnRows, versionsOf } from "./channel-errors";
import { operationLink } from "./suggested-relocation";

/** The row as the transaction, the source and the replica have it. */
function Versions({ error }: { error: ChannelError }) {
  const row = error.row;
  if (!row) return null;
  const versions = versionsOf(error);
  const columns = Object.keys(row.after ?? row.before ?? {});
  return (
    <section
      className="scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      aria-label={`Row of ${row.schema}.${row.table}`}
    >
      <table className={`grid ${css.versions}`}>
        <thead>
          <tr>
            <th>Column</th>
            {versions.map(({ head }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: order is identity here
              <th key={index}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => {
            const differs = row.differing.includes(column);
            return (
              <tr key={column} className={differs ? css.differs : undefined}>
                <td className="mono">
                  {differs && <span title="differs">≠ </span>}
                  {column}
                  {row.key.includes(column) && <span className="faint"> key</span>}
                </td>
                {versions.map(({ image, absent }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: order is identity here
                  <td key={index}>
                    {image ? (
                      <code>{formatValue(image[column])}</code>
                    ) : (
                      <span className="faint">{absent}</span>
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Sessions({ statements }: { statements: ChannelError["ways"][number]["statements"] }) {
  return sessionsOf(statements).map((session) => (
    <div key={`${session.node} ${session.sql[0]}`}>
      <p className="dim">On {session.node}, in one session:</p>
      <SqlBlock statements={session.sql} label={`statements for ${session.node}`} />
    </div>
  ));
}

/** A way on: what a person runs on which node, and the console's own part. */
function Way({ link, way }: { link: LinkDetail; way: ChannelError["ways"][number] }) {
  const mayPlan = useCan("plan");
  const kind = kindOf(way.plan_kind);
  return (
    <li className={css.way}>
      <h3 className="strong">{way.title}</h3>
      <p>{way.sentence}</p>
      <Sessions statements={way.statements} />
      {way.put_back.length > 0 && (
        <details>
          <summary>Statements that put the deleted row back</summary>
          <Sessions statements={way.put_back} />
        </details>
      )}
      {mayPlan && kind && (
        <ButtonLink className={css.plan ?? ""} variant="default" {...operationLink(link, kind)}>
          {OPERATIONS[kind].action(currentParticipants(kind, link))}…
        </ButtonLink>
      )}
    </li>
  );
}

function Transaction({ error }: { error: ChannelError }) {
  const one = error.transaction;
  if (!one) return null;
  return (
    <DescriptionList
      items={[
        ["Transaction", <code key="t">{one.gtid ?? one.seqno ?? "not numbered"}</code>],
        [
          `In the log of ${error.source}`,
          <code key="p">{formatPosition(one.from.file, one.from.position)}</code>,
        ],
        ["Written", <Timestamp key="a" at={one.at} />],
        ["Rows", one.rows],
        ["Tables", one.tables.join(", ")],
      ]}
    />
  );
}

function Found({ link, error }: { link: LinkDetail; error: ChannelError }) {
  return (
    <div className="stack">
      <p className="strong">{error.detail}</p>
      <Transaction error={error} />
      <Versions error={error} />
      {error.ways.length > 0 && (
        <ul aria-label="Ways on">
          {error.ways.map((way) => (
            <Way key={way.code} link={link} way={way} />
          ))}
        </ul>
      )}
      <p className="dim">A transaction is never skipped: the two sides would differ.</p>
    </div>
  );
}

function ChannelErrorPanel({ link, direction }: { link: LinkDetail; direction: Direction }) {
  const query = useQuery(channelErrorQuery(link.id, direction));
  return (
    <Panel
      tone="bad"
      title={`The row that the ${direction} channel stopped on`}
      aside={
        <Button
          variant="default"
          size="xs"
          loading={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Look now
        </Button>
      }
    >
      {query.isPending && <SkeletonLines lines={4} />}
      {query.isError && <ProblemAlert error={query.error} action="Reading the row" />}
      {query.data && <Found link={link} error={query.data} />}
    </Panel>
  );
}

/** One for each channel that stopped on a row; rows are business data, shown to operators. */
export function ChannelErrorPanels({ link }: { link: LinkDetail }) {
  const mayLook = useCan("lookup");
  if (!mayLook) return null;
  return stoppedOnRows(link.findings).map((direction) => (
    <ChannelErrorPanel key={direction} link={link} direction={direction} />
  ));
}
