import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Bones } from "@/ui/Bones";
import { ProblemNotice } from "./ProblemNotice";

/** A read in its three states: the shape before data, the refusal, the data. Old data stays on screen. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>;
  what: string;
  bones?: ReactNode;
  children: (data: NonNullable<T>) => ReactNode;
}) {
  const { query, what, bones, children } = props;
  if (query.data !== undefined && query.data !== null) return <>{children(query.data)}</>;
  if (query.isError)
    return (
      <ProblemNotice
        error={query.error}
        doing={`Reading ${what}`}
        retry={() => void query.refetch()}
      />
    );
  return <>{bones ?? <Bones />}</>;
}
