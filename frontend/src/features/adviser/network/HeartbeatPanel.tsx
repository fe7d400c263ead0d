import { useQuery } from "@tanstack/react-query";
import { heartbeatQuery, useMeasureHeartbeat } from "@/api/resources/calibration";
import type { Heartbeat, LinkDetail, LinkHeartbeat } from "@/api/types";
import { ChangeDialog } from "@/components/ChangeDialog";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Timestamp } from "@/components/Timestamp";
import { useRefusal } from "@/components/use-refusal";
import { WriteMeasurementForm } from "@/components/WriteMeasurementForm";
import { Callout } from "@/ui/Callout";
import { column, nameColumn } from "@/ui/DataTable";
import { Panel } from "@/ui/Panel";
import { FigureTable } from "../FigureTable";
import { ms } from "./figures";

type Node = NonNullable<Heartbeat["result"]>["nodes"][number];

/** "31 ms ± 28 ms", or the bound where nothing else is known. */
function late({ median_ms, error_ms, is_bound }: Node): string {
  if (median_ms === null || error_ms === null) return "unknown";
  return is_bound ? `at most ${ms(median_ms + error_ms)}` : `${ms(median_ms)} ± ${ms(error_ms)}`;
}

const COLUMNS = [
  nameColumn<Node>("Seen on", ({ node }) => node, { nowrap: true }),
  column<Node>("After", (row) => <strong>{late(row)}</strong>),
  column<Node>("Rows", ({ seen, missed, reason }) => reason || `${seen} seen, ${missed} missed`),
];

function Ask({ link }: { link: LinkDetail }) {
  const measure = useMeasureHeartbeat(link.id);
  return (
    <ChangeDialog
      label="Measure the heartbeat"
      title={`Measure the heartbeat over ${link.name}`}
      disabledReason={useRefusal("run")}
    >
      {(close) => (
        <WriteMeasurementForm
          noun="link"
          name={link.name}
          action="measure the heartbeat"
          submitLabel="Write 20 rows and measure"
          save={async (confirmed) => {
            await measure.mutateAsync(confirmed);
            close();
          }}
        >
          <p className="dim">
            20 rows in four seconds are written to <code>hawser.calibration</code> on the active
            side and removed again; the channel replicates them. It stops automatically when the
            link is no longer protected, a run is unfinished or flow control pauses the node.
          </p>
        </WriteMeasurementForm>
      )}
    </ChangeDialog>
  );
}

function Measured({ found }: { found: Heartbeat }) {
  return (
    <>
      {found.sentence !== "" && (
        <Callout tone="warn" title={`It ${found.state}.`} description={found.sentence} />
      )}
      {found.result && (
        <FigureTable
          caption="Heartbeat"
          columns={COLUMNS}
          rows={found.result.nodes}
          empty="The standby side has no nodes."
        />
      )}
    </>
  );
}

/** How late a row that is written on the active side is seen on the other. */
export function HeartbeatPanel({ link }: { link: LinkDetail }) {
  const query = useQuery(heartbeatQuery(link.id));
  const newest = query.data?.newest;
  return (
    <Panel
      title="Heartbeat over the link"
      aside={
        newest && (
          <>
            {newest.node}, <Timestamp at={newest.started_at} />
          </>
        )
      }
    >
      <div className="stack">
        <p className="dim">
          Milliseconds from a write on the active side until it is seen on the other: network,
          channel and apply together. Servers&apos; clocks are compared by SQL, which is exact to
          half of the console&apos;s round trip to each; ± says how wrong the figure can be.
        </p>
        <QueryBoundary<LinkHeartbeat> query={query} label="the heartbeat">
          {(found) =>
            found.newest ? <Measured found={found.newest} /> : <p>Unknown. {found.reason}</p>
          }
        </QueryBoundary>
        {link.retired_at === null && (
          <div>
            <Ask link={link} />
          </div>
        )}
      </div>
    </Panel>
  );
}
