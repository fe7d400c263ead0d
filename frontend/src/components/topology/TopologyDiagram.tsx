import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { LinkDetail, Node } from "@/api/types";
import { pluralize } from "@/lib/format/number";
import { useIsPrinting } from "@/ui/use-is-printing";
import { layoutLink } from "./layout";
import { NodeBox } from "./NodeBox";
import { Signs } from "./Signs";
import { SiteFrame } from "./SiteFrame";
import { type Side, sidesOf } from "./sides";
import { layoutInput, type ProposedChannel, type Sign, signsOf } from "./signs";
import css from "./TopologyDiagram.module.css";
import { TopologyText } from "./TopologyText";

/** The diagram as one sentence for screen readers. */
function diagramLabel(sides: readonly Side[], signs: readonly Sign[], nodes: number): string {
  const roles = sides.map(
    ({ cluster, role, status, fence }) =>
      `${cluster.name} is ${role}, ${status.word}, ${fence.words}`,
  );
  const paths = signs.map(({ head, details, between }) =>
    [head, ...details, ...(between ? [between] : [])].join(", "),
  );
  return `${roles.join("; ")}. ${paths.join("; ")}. ${pluralize(nodes, "node")}.`;
}

interface TopologyDiagramProps {
  link: LinkDetail;
  ageS: number | null;
  stale: boolean;
  proposal?: ProposedChannel | null;
  /** On a wall: as large as the screen, without the text below it. */
  isWall?: boolean;
}

/** Both sites with their nodes, and each channel between the nodes it is configured on. */
export function TopologyDiagram(props: TopologyDiagramProps) {
  const { link, ageS, stale, proposal = null, isWall = false } = props;
  // Six nodes side by side cannot be read at that width.
  const isPhone = useMediaQuery("(max-width: 600px)", false, { getInitialValueInEffect: false });
  const [isTextOpen, setTextOpen] = useState(false);
  const isPrinting = useIsPrinting();
  const sinceReadS = ageS === null || link.age_s === null ? null : ageS - link.age_s;
  /** Of a link that is too old to trust, no node is younger. */
  const nodeAge = (node: Node) => {
    if (node.age_s === null || sinceReadS === null) return null;
    return Math.max(node.age_s + sinceReadS, stale ? (ageS ?? 0) : 0);
  };
  const sides = sidesOf(link, stale, nodeAge);
  const signs = signsOf(link, proposal, stale);
  const text = <TopologyText sides={sides} signs={signs} nodeAge={nodeAge} />;
  if (isPhone) return text;
  const [left, right] = sides;
  const picture = layoutLink(left.cluster, right.cluster, signs.map(layoutInput));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in SVG; the group holds links */}
      <svg
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        className={isWall ? css.wall : css.picture}
        role="group"
        aria-label={diagramLabel(sides, signs, picture.nodes.size)}
      >
        <SiteFrame side={left} box={picture.sites[0]} picture={picture} />
        <SiteFrame side={right} box={picture.sites[1]} picture={picture} />
        {[...left.cluster.nodes, ...right.cluster.nodes].map((node) => {
          const box = picture.nodes.get(node.id);
          return (
            box && (
              <NodeBox
                key={node.id}
                node={node}
                box={box}
                ageS={nodeAge(node)}
                isCompact={picture.isCompact}
              />
            )
          );
        })}
        <Signs
          signs={signs}
          layouts={picture.signs}
          forward={left.cluster.id === link.active_cluster.id ? "right" : "left"}
        />
      </svg>
      {!isWall && (
        <details className={css.asText} onToggle={(event) => setTextOpen(event.currentTarget.open)}>
          <summary className="dim">The same as text</summary>
          {(isTextOpen || isPrinting) && text}
        </details>
      )}
    </>
  );
}
