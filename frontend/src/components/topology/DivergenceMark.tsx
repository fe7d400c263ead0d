import type { LinkDetail } from "@/api/types";
import { formatNumber } from "@/lib/format/number";
import type { TopologyLayout } from "./layout";
import css from "./TopologyDiagram.module.css";

function dataLoss(transactions: number | null): string {
  if (transactions === null) return " · loss unknown";
  return transactions === 0 ? "" : ` · ${formatNumber(transactions)} lost`;
}

/** The divergence point, shown between the sites, below any channel that still connects them. */
export function DivergenceMark({ link, picture }: { link: LinkDetail; picture: TopologyLayout }) {
  const divergence = link.divergence;
  if (!divergence || !link.invalidated_cluster) return null;
  return (
    <g className={css.bad} transform={`translate(${picture.width / 2} ${picture.height - 84})`}>
      <path d="M0 0v12l-5 6 10 7-10 7 5 6v10" className={css.crack} />
      <text className={css.diverged} y={-10} textAnchor="middle">
        diverged{dataLoss(divergence.loss.transactions)}
      </text>
      <text className={css.sub} y={66} textAnchor="middle">
        after seqno {formatNumber(divergence.applied.seqno)}
      </text>
    </g>
  );
}
