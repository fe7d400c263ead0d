import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { orphansQuery } from "@/api/resources/orphans";
import type { Orphans, PlanOptions } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { OPERATIONS, type OrphanStrategy } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { type Backup, BackupPanel } from "./BackupPanel";
import { OrphanStatus } from "./OrphanStatus";
import { PlanRequestPanel } from "./PlanRequestPanel";
import { StrategyChoice } from "./StrategyChoice";
import { strategyBlockedReason, suggestStrategy, writableNodes } from "./strategy-availability";
import type { TargetProps } from "./types";

function optionsOf(strategy: OrphanStrategy | null, skips: boolean, backup: Backup): PlanOptions {
  const position = backup.position.trim();
  const isRebuild = strategy === "rebuild";
  return {
    ...(strategy ? { orphans: strategy } : {}),
    ...(strategy === "replay" && skips ? { skip_conflicts: true } : {}),
    ...(isRebuild && position ? { backup_position: position } : {}),
    ...(isRebuild && backup.donor ? { source_node: backup.donor } : {}),
  };
}

function SkipConflicts(props: {
  survivor: string | null;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}) {
  return (
    <Panel title="Conflicting rows">
      <Checkbox
        label="Skip transactions with a conflict"
        description={`Without this option the replay stops at the first conflict and applies nothing of that transaction. Skipped transactions are discarded on ${props.survivor ?? "the survivor"} and listed in the result.`}
        checked={props.isChecked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

/** How the returned side becomes the standby again. */
export function ReprotectTarget({ link, stale, requested }: TargetProps) {
  const query = useQuery(orphansQuery(link.id));
  const orphans = query.data;
  const [picked, setPicked] = useState<OrphanStrategy | null>(null);
  const [skips, setSkips] = useState(false);
  const [backup, setBackup] = useState<Backup>({
    position: "",
    donor: requested.source_node ?? "",
  });
  const writable = writableNodes(link);
  const isWritable = writable.length > 0;
  const isAvailable =
    picked !== null && strategyBlockedReason(picked, orphans, isWritable) === null;
  const strategy = isAvailable ? picked : suggestStrategy(requested.orphans, orphans, isWritable);
  const participants = currentParticipants("reprotect", link);
  return (
    <div className="with-aside">
      <div className="stack">
        {isWritable ? (
          <Callout
            tone="bad"
            title={`${link.standby_cluster.name} is still writable on ${writable.join(", ")}.`}
            description={`The number of orphaned transactions on ${link.standby_cluster.name} grows with every write. Fence ${link.standby_cluster.name} first. The other options are available after the scan that follows.`}
          />
        ) : (
          <QueryBoundary<Orphans> query={query} label="the orphaned transactions">
            {(read) => <OrphanStatus link={link} orphans={read} />}
          </QueryBoundary>
        )}
        <StrategyChoice
          participants={participants}
          orphans={orphans}
          isWritable={isWritable}
          chosen={strategy}
          onChoose={setPicked}
        />
        {strategy === "rebuild" && <BackupPanel link={link} backup={backup} onChange={setBackup} />}
        {strategy === "replay" && (
          <SkipConflicts survivor={participants.to} isChecked={skips} onChange={setSkips} />
        )}
      </div>
      <PlanRequestPanel
        link={link}
        kind="reprotect"
        options={optionsOf(strategy, skips, backup)}
        stale={stale}
        disabledReason={strategy ? null : "Choose how to handle the orphaned transactions."}
        submitLabel={OPERATIONS.reprotect.check(participants)}
      />
    </div>
  );
}
