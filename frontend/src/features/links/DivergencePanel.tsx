import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { LinkDetail } from "@/api/types";
import { Moment } from "@/components/clock";
import { Go } from "@/components/Go";
import { counted, formatPosition, grouped } from "@/lib/numbers";
import { Copyable } from "@/ui/CopyButton";
import { Panel } from "@/ui/Panel";
import css from "./DivergencePanel.module.css";
import { lossFigure, lossNote } from "./divergenceLoss";

/** What was found on the lost side since: the scan counts what nobody could see before. */
function Found({ link, name }: { link: LinkDetail; name: string }) {
  const { data } = useQuery(queries.orphans(link.id));
  const known = data?.state === "found" || data?.state === "none";
  return (
    <div>
      <dt>Only {name} has</dt>
      <dd>
        <b>{known ? counted(data.transactions, "transaction") : "not known yet"}</b>
        <span className="dim">
          {known && (
            <>
              scanned <Moment at={data.scanned_at} />,{" "}
            </>
          )}
          <Go to={`/links/${link.id}/orphans`}>its orphans</Go>
        </span>
      </dd>
    </div>
  );
}

/** When the lost side came back, when it was closed to writes, and what it took in between. */
function Returned({ divergence }: { divergence: NonNullable<LinkDetail["divergence"]> }) {
  const { lost_cluster: lost, returned, fences_on_return: fences } = divergence;
  if (!returned)
    return (
      <div>
        <dt>When {lost.name} returns</dt>
        <dd>
          <b>{fences ? "it is fenced" : "it is not fenced"}</b>
          <span className="dim">{fences ? "node by node, as each is seen" : "by hand only"}</span>
        </dd>
      </div>
    );
  const run = returned.nodes.findLast((node) => node.run_id)?.run_id;
  const between =
    returned.writes === null
      ? "how many writes in between is not known"
      : `${counted(returned.writes, "write")} in between`;
  return (
    <div>
      <dt>
        {lost.name} returned <Moment at={returned.returned_at} />
      </dt>
      <dd>
        <b>
          {returned.fenced_at ? (
            <>
              fenced <Moment at={returned.fenced_at} />
            </>
          ) : (
            "not fenced yet"
          )}
        </b>
        <span className="dim">
          {returned.fenced_at ? between : returned.nodes.map((node) => node.node).join(", ")}
          {run && (
            <>
              {" "}
              by <Go to={`/runs/${run}/result`}>this run</Go>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

/** Where the histories of the two sides part, and what that costs: until the lost side is reconciled. */
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
            <b>seqno {grouped(applied.seqno)}</b>
            <span className="dim">
              <Copyable
                text={formatPosition(applied.file, applied.position)}
                label="the divergence point"
              />
            </span>
          </dd>
        </div>
        <div>
          <dt>Last seen on {lost.name}</dt>
          <dd>
            <b>seqno {grouped(seen?.seqno)}</b>
            <span className="dim">
              <Moment at={seen?.at} />
            </span>
          </dd>
        </div>
        <div>
          <dt>Lost to {survivor.name}</dt>
          <dd>
            <b>{lossFigure(loss)}</b>
            <span className="dim">{lossNote(loss)}</span>
          </dd>
        </div>
        <Returned divergence={divergence} />
        <Found link={link} name={lost.name} />
        <div>
          <dt>Recorded</dt>
          <dd>
            <b>
              <Moment at={divergence.at} />
            </b>
            <span className="dim">
              by <Go to={`/runs/${divergence.run_id}/result`}>this run</Go>
            </span>
          </dd>
        </div>
      </dl>
      {loss.detail && <p className="dim note">{loss.detail}</p>}
    </Panel>
  );
}
