import type { DirectionProof } from "@/api/types";
import css from "./Proof.module.css";
import { SEGMENT_WORDS, type SegmentKind, segmentsOf, shareText } from "./proof";

/** When a direction was proven: filled; not proven: hatched; not recorded: empty. */
export function ProofBand({ proof }: { proof: DirectionProof }) {
  return (
    <div
      className={css.band}
      role="img"
      aria-label={`${proof.source_cluster} → ${proof.receiving_cluster}: ${shareText(proof)}`}
    >
      {segmentsOf(proof).map(({ kind, left, width }) => (
        <span
          key={left}
          className={`${css.segment} ${css[kind]}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
    </div>
  );
}

const KINDS: readonly SegmentKind[] = ["proven", "gap", "unlisted", "unrecorded"];

/** What the looks of the bands mean, of those that are there. */
export function ProofLegend({ proofs }: { proofs: readonly DirectionProof[] }) {
  const shown = new Set(proofs.flatMap(segmentsOf).map(({ kind }) => kind));
  return (
    <p className={css.legend}>
      {KINDS.filter((kind) => shown.has(kind)).map((kind) => (
        <span key={kind}>
          <span className={`${css.swatch} ${css[kind]}`} aria-hidden="true" /> {SEGMENT_WORDS[kind]}
        </span>
      ))}
    </p>
  );
}
