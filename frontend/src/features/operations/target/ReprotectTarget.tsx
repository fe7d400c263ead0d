import { Checkbox, NativeSelect, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { orphansQuery } from "@/api/resources/orphans";
import type { LinkDetail, Orphans, PlanOptions } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ProblemAlert } from "@/components/ProblemAlert";
import { ScanButton } from "@/components/ScanButton";
import { useScan } from "@/components/use-scan";
import {
  OPERATIONS,
  ORPHAN_STRATEGIES,
  type OrphanStrategy,
  orphanStrategyText,
  type Participants,
} from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import type { Tone } from "@/ui/StatusIcon";
import { PlanRequestPanel } from "./PlanRequestPanel";
import css from "./TargetPage.module.css";
import type { TargetProps } from "./types";

/** What is known about the orphans, in one line; not knowing them is no reason to hope. */
function orphanLine(orphans: Orphans | undefined): {
  tone: Tone;
  title: string;
  description: string;
} {
  if (!orphans || orphans.state === "unknown")
    return {
      tone: "unknown",
      title: "Whether there are orphans is not known.",
      description: orphans?.detail ?? "They have not been looked for yet.",
    };
  if (orphans.state === "found")
    return {
      tone: "warn",
      title: `${orphans.cluster?.name ?? "The lost side"} has ${pluralize(orphans.transactions, "transaction")} of its own.`,
      description: orphans.detail,
    };
  return { tone: "ok", title: "No orphans were found.", description: orphans.detail };
}

/** The choice below rests on a scan: it is made here, too. */
function OrphanLine({ link, orphans }: { link: LinkDetail; orphans: Orphans | undefined }) {
  const scan = useScan(link.id);
  const isNeeded = orphans !== undefined && orphans.state !== "not_needed";
  return (
    <>
      <Callout
        {...orphanLine(orphans)}
        actions={
          isNeeded && (
            <>
              <AppLink to="/links/$linkId/orphans" params={{ linkId: link.id }}>
                See the orphans
              </AppLink>
              <ScanButton orphans={orphans} scan={scan} />
            </>
          )
        }
      />
      {scan.isError && <ProblemAlert error={scan.error} action="Scanning" />}
    </>
  );
}

const cannot = (
  way: OrphanStrategy,
  orphans: Orphans | undefined,
  open: boolean,
): string | null => {
  if (open) return way === "fence" ? null : "once it is fenced and counted";
  if (way === "attach" && orphans?.state === "found") return "there are orphans";
  if ((way === "replay" || way === "undo") && orphans?.state === "none") return "there are none";
  if (way === "fence" && orphans?.state === "none") return "it is fenced and counted";
  return null;
};

function Ways(props: {
  participants: Participants;
  orphans: Orphans | undefined;
  open: boolean;
  chosen: OrphanStrategy | null;
  onChoose: (way: OrphanStrategy) => void;
}) {
  const { participants, orphans, open, chosen, onChoose } = props;
  const name = useId();
  return (
    <Panel title="How it comes back">
      <div className={css.choices} role="radiogroup" aria-label="How it comes back">
        {ORPHAN_STRATEGIES.map((way) => {
          const words = orphanStrategyText(way, participants);
          const because = cannot(way, orphans, open);
          return (
            <label key={way} className={css.choice}>
              <input
                type="radio"
                name={name}
                value={way}
                checked={chosen === way}
                disabled={because !== null}
                onChange={() => onChoose(way)}
                aria-label={words.title}
              />
              <span>
                <span className={css.name}>{words.title}</span>
                <span className={css.line}>
                  <br />
                  {words.description}
                  <br />
                  {words.after}
                </span>
              </span>
              <span className="faint nowrap">{because}</span>
            </label>
          );
        })}
      </div>
    </Panel>
  );
}

/** Where the backup was taken: its own word, and the node it came from. */
function Backup(props: {
  link: LinkDetail;
  position: string;
  donor: string;
  onPosition: (position: string) => void;
  onDonor: (node: string) => void;
}) {
  const { link, position, donor, onPosition, onDonor } = props;
  const nodes = link.clusters.active.nodes.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Panel
      title="Where the backup was taken"
      aside="empty while there is none: the checks show the guide"
    >
      <div className="stack">
        <NativeSelect
          label="Backed up on"
          description="The channel then comes from this node"
          value={donor}
          onChange={(event) => onDonor(event.currentTarget.value)}
          data={[{ value: "", label: "any node that fits" }, ...nodes]}
        />
        <Textarea
          label="Backup position"
          description="What the backup's files say: the line in mariadb_backup_binlog_info or xtrabackup_binlog_info (FILE OFFSET, of the node it was taken on), the one in …_galera_info (UUID:SEQNO), or both as they were printed"
          autosize
          minRows={1}
          maxRows={3}
          value={position}
          onChange={(event) => onPosition(event.currentTarget.value)}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </Panel>
  );
}

/**
 * Nodes of the side that is back which still take writes: what only they hold cannot be counted while it grows.
 * A copy of the survivor holds nothing of its own.
 */
const stillOpen = (link: LinkDetail): string[] =>
  link.findings.some((finding) => finding.code === "side_rebuilt") ? [] : openNodes(link);

const openNodes = (link: LinkDetail): string[] =>
  link.clusters.standby.nodes
    .filter((node) => node.reach === "up" && node.read_only !== true)
    .map((node) => node.name);

/** The way to begin with; orphans that are there are never decided about beforehand. */
function firstWay(
  asked: OrphanStrategy | undefined,
  orphans: Orphans | undefined,
  open: boolean,
): OrphanStrategy | null {
  if (open) return "fence";
  if (asked && cannot(asked, orphans, open) === null) return asked;
  return orphans?.state === "found" ? null : "attach";
}

export function ReprotectTarget({ link, stale, asked }: TargetProps) {
  const { data: orphans } = useQuery(orphansQuery(link.id));
  const [picked, setPicked] = useState<OrphanStrategy | null>(null);
  const [skip, setSkip] = useState(false);
  const [position, setPosition] = useState("");
  const [donor, setDonor] = useState(asked.source_node ?? "");
  const writing = stillOpen(link);
  const open = writing.length > 0;
  const wanted = picked && cannot(picked, orphans, open) === null ? picked : null;
  const way = wanted ?? firstWay(asked.orphans, orphans, open);
  const participants = currentParticipants("reprotect", link);
  const options: PlanOptions = {
    ...(way ? { orphans: way } : {}),
    ...(way === "replay" && skip ? { skip_conflicts: true } : {}),
    ...(way === "rebuild" && position.trim() ? { backup_position: position.trim() } : {}),
    ...(way === "rebuild" && donor ? { source_node: donor } : {}),
  };
  return (
    <div className="with-aside">
      <div className="stack">
        {open ? (
          <Callout
            tone="bad"
            title={`${link.standby_cluster.name} still takes writes on ${writing.join(", ")}.`}
            description="What only it holds grows while it writes. Fence it first: the other ways are offered here once it is fenced and counted."
            actions={null}
          />
        ) : (
          <OrphanLine link={link} orphans={orphans} />
        )}
        <Ways
          participants={participants}
          orphans={orphans}
          open={open}
          chosen={way}
          onChoose={setPicked}
        />
        {way === "rebuild" && (
          <Backup
            link={link}
            position={position}
            donor={donor}
            onPosition={setPosition}
            onDonor={setDonor}
          />
        )}
        {way === "replay" && (
          <Panel title="If a row is not as the orphan found it">
            <Checkbox
              label="Leave that transaction out and go on"
              description={`Otherwise the replay stops at the first conflict, with nothing of that transaction applied. Left out transactions are named in the result and are given up on ${participants.to}.`}
              checked={skip}
              onChange={(event) => setSkip(event.currentTarget.checked)}
            />
          </Panel>
        )}
      </div>
      <PlanRequestPanel
        link={link}
        kind="reprotect"
        options={options}
        stale={stale}
        disabledReason={way ? null : "Choose what becomes of the orphans."}
        submitLabel={OPERATIONS.reprotect.check(participants)}
      />
    </div>
  );
}
