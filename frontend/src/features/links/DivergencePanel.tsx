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
