import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";

/** Where an input makes data old, a function of it; else the keys themselves. */
type Invalidates<In> = readonly QueryKey[] | ((input: In) => readonly QueryKey[]);

/**
 * One call that changes something. Whether it succeeds or fails, the data it may have changed is
 * read again; the mutation is pending until then, so that a page never shows the old state.
 */
export function useApiMutation<Out, In = void>(
  call: (input: In) => Promise<Out>,
  invalidates: Invalidates<In> = [],
  /** Calls of one scope are sent one after the other. */
  scope?: string,
) {
  const client = useQueryClient();
  return useMutation<Out, Error, In>({
    mutationFn: call,
    ...(scope ? { scope: { id: scope } } : {}),
    onSettled: async (_data, _error, input) => {
      const keys = typeof invalidates === "function" ? invalidates(input) : invalidates;
      await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
