import type { ReactNode } from "react";
import { SkeletonLines } from "@/ui/Skeleton";
import { PageHeader } from "./PageHeader";
import { ProblemAlert } from "./ProblemAlert";

/** What the boundary needs of a query or of paged rows. */
interface ReadState<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A read in its three states: a placeholder, an error, the data. Old data stays on screen when a read fails. */
export function QueryBoundary<T>(props: {
  query: ReadState<T>;
  label: string;
  fallback?: ReactNode;
  /** The heading of the page until its data is there, where its own heading needs the data. */
  heading?: string;
  children: (data: NonNullable<T>) => ReactNode;
}) {
  const { query, label, fallback, heading, children } = props;
  if (query.data !== undefined && query.data !== null) return <>{children(query.data)}</>;
  return (
    <>
      {heading && <PageHeader title={heading} isLoading={!query.isError} />}
      {query.isError ? (
        <ProblemAlert
          error={query.error}
          action={`load ${label}`}
          retry={() => void query.refetch()}
        />
      ) : (
        (fallback ?? <SkeletonLines />)
      )}
    </>
  );
}
