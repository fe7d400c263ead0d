import type { Position } from "@/api/types";
import { Term } from "@/components/Term";
import { formatPosition, pluralize } from "@/lib/format/number";
import { formatAge } from "@/lib/format/time";
import { Callout } from "@/ui/Callout";
import { Copyable } from "@/ui/CopyButton";
import type { Tone } from "@/ui/StatusIcon";

const toneOf = (position: Position): Tone =>
  position.provisional ? "info" : position.proven ? "ok" : "bad";

function agreement(position: Position): string {
  const agree = position.evidence.filter((entry) => entry.agrees === true).length;
  const disagree = position.evidence.filter((entry) => entry.agrees === false).length;
  return `Evidence: ${pluralize(agree, "source")} in agreement, ${disagree === 0 ? "none" : disagree} in disagreement`;
}

/** Where the channel resumes, and how the position was found. */
function Found({ position }: { position: Position }) {
  const age = position.from_checkpoint_age_s;
  const from = age === null ? "" : `, starting at a position sample ${formatAge(age)} older`;
  return (
    <>
      {position.file && (
        <>
          {position.provisional
            ? `With current data the ${position.direction} channel would resume`
            : `The ${position.direction} channel resumes`}{" "}
          on {position.node_name} at{" "}
          <Copyable text={formatPosition(position.file, position.position)} label="the position" />.{" "}
        </>
      )}
      {agreement(position)}. The search took {Math.round(position.elapsed_ms)} ms and read{" "}
      {pluralize(position.searched_events, "event")}
      {from}.
    </>
  );
}

/** Whether a resume position is proven, and on which evidence. */
export function PositionVerdict({ position }: { position: Position }) {
  return (
    <Callout
      tone={toneOf(position)}
      title={position.verdict}
      description={
        position.provisional ? (
          <>
            The channel is still running, so this position is{" "}
            <Term of="provisional position">provisional</Term>. The run stops the channel and proves
            the final position. If that proof fails, the run restarts the channel unchanged.{" "}
            <Found position={position} />
          </>
        ) : (
          <>
            <Found position={position} />
            {position.reasons.length > 0 && ` ${position.reasons.join(" ")}`}
          </>
        )
      }
    />
  );
}
