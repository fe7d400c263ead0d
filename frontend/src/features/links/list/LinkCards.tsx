import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Link, LinkRow, Page } from "@/api/types";
import { QueryBoundary } from "@/components/QueryBoundary";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { LinkCard } from "./LinkCard";
import css from "./LinksPage.module.css";

/** These links as cards, which tell more of each than a row. */
export function LinkCards({ shown }: { shown: readonly LinkRow[] }) {
  const query = useQuery(linksQuery());
  return (
    <QueryBoundary<Page<Link>>
      query={query}
      label="the links"
      fallback={
        <Panel>
          <SkeletonLines lines={3} height={22} />
        </Panel>
      }
    >
      {({ results }) => {
        const byId = new Map(results.map((link) => [link.id, link]));
        return (
          <ul className={css.list}>
            {shown.flatMap((row) => {
              const link = byId.get(row.id);
              return link
                ? [<LinkCard key={row.id} link={link} row={row} readAt={query.dataUpdatedAt} />]
                : [];
            })}
          </ul>
        );
      }}
    </QueryBoundary>
  );
}
