import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";

/** A refused request is not repeated; a request without a response is. */
const shouldRetry = (count: number, error: Error) =>
  count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500);

/**
 * The query cache of the console. The browser's own opinion of being offline holds nothing back: it is about any
 * network (an interface that went away, none but the one to the console), and an action would wait without a word.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      retry: shouldRetry,
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
      staleTime: 500,
    },
    mutations: { networkMode: "always" },
  },
});
