/** The states that every panel draws by the same components: loading, empty, error, denied, too many. */
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problem";
import { DataTable } from "@/ui/DataTable";
import { QueryBoundary } from "./QueryBoundary";

const FORBIDDEN = new Problem(403, "forbidden", "forbidden", "Your role may not.", null, [], {});

interface Read {
  data: string | undefined;
  error: Error | null;
}

function show({ data, error }: Read) {
  const refetch = vi.fn();
  render(
    <MantineProvider>
      <QueryBoundary<string>
        query={{ data, error, isError: error !== null, refetch }}
        label="the panel"
      >
        {(text) => <p>{text}</p>}
      </QueryBoundary>
    </MantineProvider>,
  );
  return refetch;
}

const TABLE = {
  caption: "Rows",
  columns: [{ key: "name", header: "Name", cell: (name: string) => name }],
  rowKey: (name: string) => name,
  empty: "No row matches.",
};

describe("the states of a panel", () => {
  it("test_panel__nothing_read_yet__loading", () => {
    show({ data: undefined, error: null });
    expect(screen.getByRole("status", { name: "Loading" })).toBeInTheDocument();
  });

  it("test_panel__denied__says_so_and_can_be_tried_again", async () => {
    const refetch = show({ data: undefined, error: FORBIDDEN });
    expect(screen.getByRole("alert")).toHaveTextContent("Could not load the panel: forbidden");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it("test_panel__read_before_it_failed__old_data_stay", () => {
    show({ data: "as it was", error: FORBIDDEN });
    expect(screen.getByText("as it was")).toBeInTheDocument();
  });

  it("test_table__no_rows__says_so", () => {
    render(
      <MantineProvider>
        <DataTable {...TABLE} rows={[]} />
      </MantineProvider>,
    );
    expect(screen.getByText("No row matches.")).toBeInTheDocument();
  });

  it("test_table__too_many_rows__loads_more_on_demand", async () => {
    const load = vi.fn();
    render(
      <MantineProvider>
        <DataTable {...TABLE} rows={["a"]} more={{ isLoading: false, load }} />
      </MantineProvider>,
    );
    await userEvent.click(screen.getByRole("button", { name: "Load more" }));
    expect(load).toHaveBeenCalledOnce();
  });
});
