import { useMutation, useQueryClient } from "@tanstack/react-query";

/** An act on the lab; what the page shows of it is read again afterwards. */
export function useLabAction<T>(act: (arg: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: ["lab"] }),
  });
}
