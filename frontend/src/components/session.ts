import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Me } from "@/api/types";
import { type Ability, may } from "@/lib/abilities";

/** The person signed in; undefined while reading, null when nobody is. */
export function useMe(): Me | null | undefined {
  return useQuery(queries.session()).data;
}

export function useMay(ability: Ability): boolean {
  return may(useMe()?.role, ability);
}
