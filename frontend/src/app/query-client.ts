import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

/** An answer that refuses is not asked for again; only a missing answer is. */
const shouldRetry = (count: number, error: Error) =>
  count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500);

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, refetchOnWindowFocus: true, staleTime: 500 } },
});
