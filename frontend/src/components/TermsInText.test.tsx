import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { TermsInText } from "./TermsInText";

it("test_terms_in_text__words_of_galera__show_their_definition_and_no_part_of_a_word_does", () => {
  render(
    <MantineProvider>
      <TermsInText text="Let the node join by SST from a donor: `SET GLOBAL x`, not a DISTINCT one." />
    </MantineProvider>,
  );
  const terms = screen.getAllByRole("button").map((button) => button.firstChild?.textContent);
  expect(terms).toEqual(["SST", "donor"]);
  expect(screen.getByText("SET GLOBAL x").tagName).toBe("CODE");
});
