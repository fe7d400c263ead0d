import type { LinkDetail } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { DataAge } from "@/components/DataAge";
import { TopologyDiagram } from "@/components/topology/TopologyDiagram";
import { useDataAge } from "@/components/use-data-age";
import { Wall } from "@/components/wall/Wall";
import { WallState } from "@/components/wall/WallState";
import { describeStale, isStale } from "@/domain/freshness";
import { operationLabel } from "@/domain/operations";
import { statusFor } from "@/domain/status";
import { formatAge } from "@/lib/format/time";
import css from "./LinkWall.module.css";

/** One link for a wall: its state, what it means, and its picture as large as the screen. */
export function LinkWall({ link, readAt }: { link: LinkDetail; readAt: number }) {
  const age = useDataAge(link.age_s, readAt);
  const stale = isStale(age);
  const { tone, word } = statusFor("link", stale ? "unknown" : link.state);
  return (
    <Wall
      title={link.name}
      right={
        <>
          <DataAge ageS={age} />
          <AppLink to="/links/$linkId" params={{ linkId: link.id }}>
            Close
          </AppLink>
        </>
      }
      body={
        <>
          <p className={css.sentence}>{describeStale(link.sentence, age)}</p>
          <div className={`${css.picture} ${stale ? "stale" : ""}`}>
            <TopologyDiagram link={link} ageS={age} stale={stale} isWall />
          </div>
        </>
      }
    >
      <WallState tone={tone}>
        {word}
        {stale && age !== null && ` for ${formatAge(age)}`}
      </WallState>
      {link.pause && <WallState tone="warn">Maintenance</WallState>}
      {link.active_run && (
        <WallState tone="info">{operationLabel(link.active_run.kind)} running</WallState>
      )}
    </Wall>
  );
}
