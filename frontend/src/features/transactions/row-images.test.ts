import { describe, expect, it } from "vitest";
import { formatValue } from "@/lib/format/value";
import { compareColumns } from "./row-images";

describe("row images", () => {
  it("test_columns__update__only_the_changed_column_differs", () =>
    expect(
      compareColumns({ sku: "A-17", n: 4 }, { sku: "A-17", n: 3 }).map((cell) => [
        cell.column,
        cell.differs,
      ]),
    ).toEqual([
      ["sku", false],
      ["n", true],
    ]));
  it("test_columns__one_row_alone__the_other_has_no_values", () =>
    expect(compareColumns(null, { sku: "A-17" })).toEqual([
      { column: "sku", first: null, second: "A-17", differs: true },
    ]));
  it("test_columns__null_and_empty__differ", () =>
    expect(compareColumns({ note: null }, { note: "" })).toEqual([
      { column: "note", first: "NULL", second: "''", differs: true },
    ]));
  it("test_shown__long_number_as_text__not_rounded", () =>
    expect(formatValue("12345678901234567890.10")).toBe("12345678901234567890.10"));
});
