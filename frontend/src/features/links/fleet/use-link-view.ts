import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { LinkView } from "@/domain/fleet/view";
import type { Layout } from "@/domain/fleet/view-options";

export interface LinksSearch extends LinkView {
  view?: Layout | undefined;
}

/** The view of the list as the address has it, and the way to change it. */
export function useLinkView() {
  const search: LinksSearch = useSearch({ from: "/shell/links" });
  const navigate = useNavigate({ from: "/links" });
  const change = useCallback(
    (changes: LinksSearch) =>
      void navigate({
        search: (now) => ({ ...now, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return { search, change };
}
