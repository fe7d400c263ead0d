import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import type { Page } from "./types";

/** A list of the API that is paged by cursor. */
export interface PagedQuery<Row> {
  queryKey: QueryKey;
  /** Reads the page that begins at the cursor; the first page where there is none. */
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;
  staleTime?: number;
  refetchInterval?: number;
}

/** The options of the infinite query over such a list. */
export const pagesOf = <Row>({ queryKey, read, staleTime = 0, refetchInterval }: PagedQuery<Row>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime,
    refetchInterval: refetchInterval ?? false,
  });
