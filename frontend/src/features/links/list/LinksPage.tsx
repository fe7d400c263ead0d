import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { fleetQuery } from "@/api/resources/fleet";
import type { Fleet } from "@/api/types";
import { AppLink } from "@/components/AppLink";
import { ButtonLink } from "@/components/ButtonLink";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { useCan } from "@/components/use-session";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { FleetView } from "../fleet/FleetView";
import { RetiredLinks } from "./RetiredLinks";

const FleetWall = lazy(() =>
  import("../wall/FleetWall").then(({ FleetWall: wall }) => ({ default: wall })),
);

function Empty() {
  const mayRegister = useCan("register");
  return (
    <Callout
      tone="neutral"
      title="No links are registered."
      description="A link is a pair of Galera clusters and the two channels between them. The guide needs one host name of each cluster and an administrator’s account there."
      actions={
        mayRegister && (
          <ButtonLink to="/registrations">Register two clusters and their link…</ButtonLink>
        )
      }
    />
  );
}

/** All links with their state and readiness. */
export function LinksPage() {
  const query = useQuery(fleetQuery());
  const mayRegister = useCan("register");
  const { view } = useSearch({ from: "/shell/links" });
  if (view === "wall" && query.data && query.data.results.length > 0)
    return (
      <Suspense>
        <FleetWall rows={query.data.results} readAt={query.dataUpdatedAt} />
      </Suspense>
    );
  return (
    <>
      <PageHeader
        title="Links"
        right={mayRegister && <AppLink to="/registrations">Register link…</AppLink>}
      />
      <QueryBoundary<Fleet>
        query={query}
        label="the links"
        fallback={
          <Panel>
            <SkeletonLines lines={3} height={22} />
          </Panel>
        }
      >
        {({ results }) =>
          results.length === 0 ? (
            <Empty />
          ) : (
            <FleetView rows={results} readAt={query.dataUpdatedAt} />
          )
        }
      </QueryBoundary>
      <RetiredLinks />
    </>
  );
}
