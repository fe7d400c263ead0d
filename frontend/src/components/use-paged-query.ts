import { useInfiniteQuery } from "@tanstack/react-query";
import { type PagedQuery, pagesOf } from "@/api/pages";
import type { MoreRows } from "@/ui/DataTable";

export interface PagedRows<Row> {
  /** The rows of all pages read so far; undefined while the first page is read. */
  data: Row[] | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  dataUpdatedAt: number;
  /** Loads the next page; null where there is none. */
  more: MoreRows | null;
}

/** The rows of a list that the API pages by cursor, and the way to more of them. */
export function usePagedQuery<Row>(list: PagedQuery<Row>): PagedRows<Row> {
  const query = useInfiniteQuery(pagesOf(list));
  return {
    data: query.data?.pages.flatMap((page) => page.results),
    isError: query.isError,
    error: query.error,
    refetch: query.refetch,
    dataUpdatedAt: query.dataUpdatedAt,
    more: query.hasNextPage
      ? { isLoading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }
      : null,
  };
}
