import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { linkAdviceQuery } from "@/api/resources/advice";
import { linkQuery } from "@/api/resources/links";
import type { AdviceList, LinkDetail } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { LinkTabs } from "@/components/LinkTabs";
import { PageHeader } from "@/components/PageHeader";
import { QueryBoundary } from "@/components/QueryBoundary";
import { AdviceView } from "./AdviceView";

/** Advice on a link and both of its clusters. */
export function LinkAdvicePage() {
  const { linkId } = useParams({ from: "/shell/links/$linkId/advice" });
  const link = useQuery(linkQuery(linkId));
  const advice = useQuery(linkAdviceQuery(linkId));
  return (
    <QueryBoundary<LinkDetail> query={link} label="the link" heading="Advice">
      {(found) => (
        <>
          <PageHeader
            title={`Advice on ${found.name}`}
            right={<CurlButton method="GET" path={`/links/${found.id}/advice`} />}
          />
          <LinkTabs link={found} at="advice" />
          <QueryBoundary<AdviceList> query={advice} label="the advice">
            {(list) => <AdviceView list={list} />}
          </QueryBoundary>
        </>
      )}
    </QueryBoundary>
  );
}
