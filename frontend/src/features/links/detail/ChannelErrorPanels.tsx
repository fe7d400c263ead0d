import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { channelErrorQuery } from "@/api/resources/links";
import type { ChannelError, Direction, LinkDetail } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { Timestamp } from "@/components/Timestamp";
import { useCan } from "@/components/use-session";
import { formatPosition } from "@/lib/format/number";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { ChannelErrorResolution } from "./ChannelErrorResolution";
import { stoppedOnRows } from "./channel-errors";
import { RowVersions } from "./RowVersions";

function Transaction({ error }: { error: ChannelError }) {
  const transaction = error.transaction;
  if (!transaction) return null;
  const { gtid, seqno, from, at, rows, tables } = transaction;
  return (
    <DescriptionList
      items={[
        ["Transaction", <code key="t">{gtid ?? seqno ?? "unknown"}</code>],
        [
          `Position in the binary log of ${error.source}`,
          <code key="p">{formatPosition(from.file, from.position)}</code>,
        ],
        ["Written", <Timestamp key="a" at={at} />],
        ["Rows", rows],
        ["Tables", tables.join(", ")],
      ]}
    />
  );
}

function Details({ link, error }: { link: LinkDetail; error: ChannelError }) {
  return (
    <div className="stack">
      <p className="strong">{error.detail}</p>
      <Transaction error={error} />
      <RowVersions error={error} />
      {error.ways.length > 0 && (
        <ul aria-label="Resolutions">
          {error.ways.map((way) => (
            <ChannelErrorResolution key={way.code} link={link} way={way} />
          ))}
        </ul>
      )}
      <p className="dim">Hawser never skips a transaction, because the two sides would diverge.</p>
    </div>
  );
}

function ChannelErrorPanel({ link, direction }: { link: LinkDetail; direction: Direction }) {
  const query = useQuery(channelErrorQuery(link.id, direction));
  return (
    <Panel
      tone="bad"
      title={`Row error on the ${direction} channel`}
      aside={
        <Button
          variant="default"
          size="xs"
          loading={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Read row again
        </Button>
      }
    >
      {query.isPending && <SkeletonLines lines={4} />}
      {query.isError && <ProblemAlert error={query.error} action="read the row" />}
      {query.data && <Details link={link} error={query.data} />}
    </Panel>
  );
}

/** One panel for each channel that stopped on a row. Rows are business data: only operators see them. */
export function ChannelErrorPanels({ link }: { link: LinkDetail }) {
  const mayLook = useCan("lookup");
  if (!mayLook) return null;
  return stoppedOnRows(link.findings).map((direction) => (
    <ChannelErrorPanel key={direction} link={link} direction={direction} />
  ));
}
