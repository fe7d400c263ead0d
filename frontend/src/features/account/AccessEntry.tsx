import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemAlert } from "@/components/ProblemAlert";
import css from "./Users.module.css";

interface EntryProps {
  name: ReactNode;
  facts: ReactNode;
  /** What is read again once it has ended. */
  queryKey: string;
  words: string;
  doing: string;
  /** What exactly ends, for screen readers. */
  label: string;
  /** Ends it; null where it is not ended from here. */
  end: (() => Promise<unknown>) | null;
}

/** One session or token, and the button that ends it. */
export function AccessEntry({ name, facts, queryKey, words, doing, label, end }: EntryProps) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: () => end?.() ?? Promise.resolve(),
    onSuccess: () => client.invalidateQueries({ queryKey: [queryKey] }),
  });
  return (
    <li className={css.entry}>
      <div className="grow">
        <div className="strong">{name}</div>
        <div className="dim">{facts}</div>
        {ending.isError && <ProblemAlert error={ending.error} action={doing} />}
      </div>
      {end && (
        <Button
          size="xs"
          variant="default"
          loading={ending.isPending}
          onClick={() => ending.mutate()}
          aria-label={label}
        >
          {words}
        </Button>
      )}
    </li>
  );
}
