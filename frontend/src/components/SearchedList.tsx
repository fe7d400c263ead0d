import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import type { PagedQuery } from "@/api/pages";
import { QueryBoundary } from "./QueryBoundary";
import { usePagedQuery } from "./use-paged-query";

const SEARCH_DELAY_MS = 250;

interface SearchedListProps<Row> {
  /** The rows with a part of the name in them. */
  query: (search: string) => PagedQuery<Row>;
  /** What is read, for a failure: "the users". */
  label: string;
  searchLabel: string;
  /** False where the list is too short to need it. */
  isSearchable?: boolean;
  initialSearch?: string;
  empty: string;
  children: (row: Row) => ReactNode;
}

/** A list of the API that is searched by name and read page by page. */
export function SearchedList<Row>(props: SearchedListProps<Row>) {
  const { query, label, searchLabel, isSearchable = true, initialSearch = "", empty } = props;
  const [text, setText] = useState(initialSearch);
  const [search] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const pages = usePagedQuery(query(search));
  return (
    <>
      {isSearchable && (
        <TextInput
          size="xs"
          type="search"
          label={searchLabel}
          maxLength={80}
          maw={280}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <QueryBoundary<Row[]> query={pages} label={label}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="dim note">{search ? `No name has “${search}” in it.` : empty}</p>
          ) : (
            <ul className="note">{rows.map(props.children)}</ul>
          )
        }
      </QueryBoundary>
      {pages.more && (
        <Button
          variant="default"
          size="xs"
          loading={pages.more.isLoading}
          onClick={pages.more.load}
        >
          Load more<span className="sr-only"> of {label}</span>
        </Button>
      )}
    </>
  );
}
