import type { ReactNode } from "react";
import { SkeletonLines } from "@/ui/Skeleton";
import { ProblemAlert } from "./ProblemAlert";

/** What the boundary needs of a query or of paged rows. */
interface ReadState<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** A read in its three states: the shape before data, the refusal, the data. Old data stays on screen. */
export function QueryBoundary<T>(props: {
  query: ReadState<T>;
  label: string;
  fallback?: ReactNode;
  children: (data: NonNullable<T>) => ReactNode;
}) {
  const { query, label, fallback, children } = props;
  if (query.data !== undefined && query.data !== null) return <>{children(query.data)}</>;
  if (query.isError)
    return (
      <ProblemAlert
        error={query.error}
        action={`Reading ${label}`}
        retry={() => void query.refetch()}
      />
    );
  return <>{fallback ?? <SkeletonLines />}</>;
}
