import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { apiPath } from "@/api/client";
import { lookupQuery } from "@/api/resources/lookup";
import type { Link, Lookup, LookupCriteria } from "@/api/types";
import { CurlButton } from "@/components/CurlButton";
import { ProblemAlert } from "@/components/ProblemAlert";
import { formatBytes, pluralize } from "@/lib/format/number";
import { Callout } from "@/ui/Callout";
import { Panel } from "@/ui/Panel";
import { SkeletonLines } from "@/ui/Skeleton";
import { SearchedNodes } from "./SearchedNodes";
import { TransactionList } from "./TransactionList";
import { TransactionPanel } from "./TransactionPanel";

interface Continuation {
  isLoading: boolean;
  load: () => void;
}

/** What was found, as a sentence: nothing found is only final where every node could tell. */
function Outcome({ pages, more }: { pages: readonly Lookup[]; more: Continuation | null }) {
  const found = pages.reduce((sum, page) => sum + page.transactions.length, 0);
  const last = pages.at(-1);
  const isUnknown = last?.nodes.some((node) => node.state === "unknown") ?? true;
  const { seconds, bytes, transactions } = last?.limits ?? {};
  const limits = `Limits of each search: ${seconds} s, ${formatBytes(bytes)} and ${pluralize(transactions, "transaction")} on each node.`;
  const continueButton = more && (
    <Button variant="default" loading={more.isLoading} onClick={more.load}>
      Continue search
    </Button>
  );
  if (more)
    return (
      <Callout
        live
        tone="unknown"
        title={found ? `${pluralize(found, "transaction")} found so far.` : "Nothing found so far."}
        description={`A limit ended the search before the end of the logs. ${limits}`}
        actions={continueButton}
      />
    );
  if (found > 0) return null;
  return (
    <Callout
      live
      tone={isUnknown ? "unknown" : "neutral"}
      title={
        isUnknown
          ? "Not found, and not every node could tell."
          : "No node has a transaction that meets the criteria."
      }
      description={
        isUnknown
          ? "See below which logs were not read far enough, and why."
          : "The table below says from where to where each log was read."
      }
    />
  );
}

function Transactions({ link, pages }: { link: Link; pages: readonly Lookup[] }) {
  const found = pages.flatMap((page) => page.transactions);
  const [only] = found;
  if (!only) return null;
  if (found.length === 1) return <TransactionPanel link={link} transaction={only} />;
  return <TransactionList link={link} transactions={found} />;
}

/** The search of the address: read once, and further only when asked. */
export function LookupResults({ link, criteria }: { link: Link; criteria: LookupCriteria }) {
  const query = useInfiniteQuery(lookupQuery(link.id, criteria));
  if (query.isPending)
    return (
      <Panel title="Searching the binary logs">
        <p className="dim">All nodes are searched at once. This takes at most 20 s.</p>
        <SkeletonLines lines={4} />
      </Panel>
    );
  const alert = query.isError && (
    <ProblemAlert
      error={query.error}
      action="look up the transaction"
      retry={() => void (query.data ? query.fetchNextPage() : query.refetch())}
    />
  );
  if (!query.data) return alert;
  const pages = query.data.pages;
  const more = query.hasNextPage
    ? { isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
    : null;
  const path = apiPath(`/links/${link.id}/lookup`, { ...criteria }).replace("/api/v1", "");
  return (
    <div className="stack">
      {alert}
      <Outcome pages={pages} more={more} />
      <Transactions link={link} pages={pages} />
      <Panel title="Search of each node" aside={<CurlButton method="GET" path={path} />}>
        <SearchedNodes pages={pages} />
      </Panel>
    </div>
  );
}
