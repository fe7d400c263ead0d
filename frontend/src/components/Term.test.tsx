import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Term } from "./Term";

const DEFINITION = /incremental state transfer/;

function show() {
  render(
    <MantineProvider env="test">
      <Term of="IST" />
    </MantineProvider>,
  );
  return screen.getByRole("button", { name: "IST" });
}

describe("a term of the glossary", () => {
  it("test_term__always__described_by_its_definition", () =>
    expect(show()).toHaveAccessibleDescription(DEFINITION));

  it("test_term__focused__shown_until_escape", async () => {
    show();
    await userEvent.tab();
    expect(await screen.findByRole("tooltip")).toHaveTextContent(DEFINITION);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("tooltip")).toBeNull();
  });

  it("test_term__pointed_at__shown_while_the_pointer_is_on_the_definition", async () => {
    const term = show();
    await userEvent.hover(term);
    const definition = await screen.findByRole("tooltip");
    await userEvent.hover(definition);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(screen.getByRole("tooltip")).toBeInTheDocument();
  });

  it("test_term__tapped__shown", async () => {
    await userEvent.click(show());
    expect(await screen.findByRole("tooltip")).toHaveTextContent(DEFINITION);
  });
});
