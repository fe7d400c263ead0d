import { useState } from "react";
import type { Rehearsal } from "@/api/types";
import { FindingList } from "@/components/FindingList";
import { Timestamp } from "@/components/Timestamp";
import { operationLabel } from "@/domain/operations";
import { pluralize } from "@/lib/format/number";
import { formatDuration, formatEstimate } from "@/lib/format/time";
import { StatusChip } from "@/ui/StatusChip";
import css from "./Rehearsals.module.css";
import { lossOf, resultOf } from "./rehearsal-status";

function Detail({ rehearsal }: { rehearsal: Rehearsal }) {
  return (
    <div className="stack">
      <table className="grid">
        <thead>
          <tr>
            <th>Part</th>
            <th>Held?</th>
            <th className="num">Took</th>
            <th>What it says</th>
          </tr>
        </thead>
        <tbody>
          {rehearsal.timings.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a rehearsal never move
            <tr key={index}>
              <td>{part.check}</td>
              <td>
                <StatusChip tone={part.ok ? "ok" : "bad"}>
                  {part.ok ? "held" : "did not hold"}
                </StatusChip>
              </td>
              <td className="num">{formatDuration(part.ms / 1000)}</td>
              <td className="dim">{part.sentence}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rehearsal.loss.detail && (
        <p className="dim">
          <b>Loss: </b>
          {rehearsal.loss.detail}
        </p>
      )}
      <FindingList findings={rehearsal.findings} showCodes />
      <p className="faint">
        {pluralize(rehearsal.steps.length, "step")} would have been run. {rehearsal.summary}
      </p>
    </div>
  );
}

function Row({ rehearsal }: { rehearsal: Rehearsal }) {
  const [open, setOpen] = useState(false);
  const result = resultOf(rehearsal);
  return (
    <>
      <tr>
        <td>
          <Timestamp at={rehearsal.at} />
          <div className="dim">{rehearsal.actor}</div>
        </td>
        <td className="strong">{operationLabel(rehearsal.kind)}</td>
        <td>
          <StatusChip tone={result.tone}>{result.word}</StatusChip>
        </td>
        <td>
          <button
            type="button"
            className={css.open}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {rehearsal.sentence}
          </button>
        </td>
        <td className="num">{formatDuration(rehearsal.duration_ms / 1000)}</td>
        <td className="num">{formatEstimate(rehearsal.estimate_s)}</td>
        <td className="num">{lossOf(rehearsal)}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={7} className={css.detail}>
            <Detail rehearsal={rehearsal} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Rehearsals with their result, their times, and the loss the act would have cost. */
export function RehearsalTable({ rehearsals }: { rehearsals: readonly Rehearsal[] }) {
  return (
    <div className="scroll">
      <table className="grid">
        <thead>
          <tr>
            <th>At, by</th>
            <th>Kind</th>
            <th>Result</th>
            <th>What it says; open it for its parts</th>
            <th className="num">Took</th>
            <th className="num">A run would take</th>
            <th className="num">Would lose</th>
          </tr>
        </thead>
        <tbody>
          {rehearsals.map((rehearsal) => (
            <Row key={rehearsal.id} rehearsal={rehearsal} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
