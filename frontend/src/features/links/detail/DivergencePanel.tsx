import { useQuery } from "@tanstack/react-query";
import { orphansQuery } from "@/api/resources/orphans";
import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { Term } from "@/components/Term";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, formatPosition, pluralize } from "@/lib/format/number";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import css from "./DivergencePanel.module.css";
import { lossFigure, lossNote } from "./divergence-loss";

/** What the scan of the lost side found. */
function Found({ link, name }: { link: LinkDetail; name: string }) {
  const { data } = useQuery(orphansQuery(link.id));
  const known = data?.state === "found" || data?.state === "none";
  return (
    <div>
      <dt>Orphaned transactions on {name}</dt>
      <dd>
        <b>{known ? pluralize(data.transactions, "transaction") : "unknown"}</b>
        <span className="dim">
          {known && (
            <>
              scanned <Timestamp at={data.scanned_at} />,{" "}
            </>
          )}
          <AppLink to="/links/$linkId/orphans" params={{ linkId: link.id }}>
            View orphaned transactions
          </AppLink>
        </span>
      </dd>
    </div>
  );
}

/** When the lost side returned, when it was fenced, and how many writes it took in between. */
function Returned({ divergence }: { divergence: NonNullable<LinkDetail["divergence"]> }) {
  const { lost_cluster: lost, returned, fences_on_return: fences } = divergence;
  if (!returned)
    return (
      <div>
        <dt>Return of {lost.name}</dt>
        <dd>
          <b>{fences ? "fenced automatically" : "not fenced automatically"}</b>
          <span className="dim">
            {fences ? "each node as soon as it is reachable" : `fence ${lost.name} by hand`}
          </span>
        </dd>
      </div>
    );
  const run = returned.nodes.findLast((node) => node.run_id)?.run_id;
  const between =
    returned.writes === null
      ? "writes in between: unknown"
      : `${pluralize(returned.writes, "write")} in between`;
  return (
    <div>
      <dt>
        {lost.name} returned <Timestamp at={returned.returned_at} />
      </dt>
      <dd>
        <b>
          {returned.fenced_at ? (
            <>
              fenced <Timestamp at={returned.fenced_at} />
            </>
          ) : (
            "not fenced yet"
          )}
        </b>
        <span className="dim">
          {returned.fenced_at ? between : returned.nodes.map((node) => node.node).join(", ")}
          {run && (
            <>
              {" · "}
              <AppLink to="/runs/$runId/result" params={{ runId: run }}>
                View run
              </AppLink>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

/** The divergence point of the two clusters and the data loss; shown until the lost side is reconciled. */
export function DivergencePanel({ link }: { link: LinkDetail }) {
  const divergence = link.divergence;
  if (!divergence || !link.invalidated_cluster) return null;
  const { lost_cluster: lost, survivor_cluster: survivor, applied, loss } = divergence;
  const seen = divergence.last_seen;
  return (
    <Panel tone="bad" title={`${lost.name} is invalidated`}>
      <dl className={css.facts}>
        <div>
          <dt>{survivor.name} applied up to</dt>
          <dd>
            <b>
              <Term of="seqno" /> {formatNumber(applied.seqno)}
            </b>
            <span className="dim">
              <Copyable
                text={formatPosition(applied.file, applied.position)}
                label="the divergence point"
              />
            </span>
          </dd>
        </div>
        <div>
          <dt>Last read from {lost.name}</dt>
          <dd>
            <b>seqno {formatNumber(seen?.seqno)}</b>
            <span className="dim">
              <Timestamp at={seen?.at} />
            </span>
          </dd>
        </div>
        <div>
          <dt>Data loss on {survivor.name}</dt>
          <dd>
            <b>{lossFigure(loss)}</b>
            <span className="dim">
              {lossNote(loss)} <Timestamp at={loss.read_at} />
            </span>
          </dd>
        </div>
        <Returned divergence={divergence} />
        <Found link={link} name={lost.name} />
        <div>
          <dt>Recorded</dt>
          <dd>
            <b>
              <Timestamp at={divergence.at} />
            </b>
            <span className="dim">
              by{" "}
              <AppLink to="/runs/$runId/result" params={{ runId: divergence.run_id }}>
                this run
              </AppLink>
            </span>
          </dd>
        </div>
      </dl>
      {loss.detail && <p className="dim note">{loss.detail}</p>}
    </Panel>
  );
}
