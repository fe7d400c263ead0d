import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/resources/links";
import type { Link, Page } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useCan } from "@/components/use-session";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { LinkCard } from "./LinkCard";
import css from "./LinksPage.module.css";
import { RetiredLinks } from "./RetiredLinks";

function Empty() {
  const mayRegister = useCan("register");
  return (
    <Callout
      tone="neutral"
      title="No links are registered."
      description="A link is a pair of Galera clusters and the two channels between them. Register both clusters first. Registration changes nothing on them."
      actions={mayRegister && <ButtonLink to="/clusters/new">Register cluster…</ButtonLink>}
    />
  );
}

/** All links with their state and readiness. */
export function LinksPage() {
  const query = useQuery(linksQuery());
  const mayRegister = useCan("register");
  return (
    <>
      <PageHeader
        title="Links"
        right={mayRegister && <AppLink to="/links/new">Register link…</AppLink>}
      />
      <QueryBoundary<Page<Link>>
        query={query}
        label="the links"
        fallback={
          <Panel>
            <SkeletonLines lines={3} height={22} />
          </Panel>
        }
      >
        {(page) =>
          page.results.length === 0 ? (
            <Empty />
          ) : (
            <ul className={css.list}>
              {page.results.map((link) => (
                <LinkCard key={link.id} link={link} readAt={query.dataUpdatedAt} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <RetiredLinks />
    </>
  );
}
