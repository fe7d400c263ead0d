import { render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { VirtualRow } from "./VirtualRow";

it("test_virtual_row__others_change__drawn_again_only_for_its_own_data", () => {
  const cell = vi.fn((row: { name: string }) => row.name);
  const columns = [{ key: "name", header: "Link", cell }];
  const shared = { columns, isActive: false, toggle: vi.fn(), activate: vi.fn(), measure: vi.fn() };
  const rowOf = (id: string, row: { name: string }, index: number) => (
    <VirtualRow
      {...shared}
      key={id}
      id={id}
      index={index}
      row={row}
      label={id}
      isSelected={false}
    />
  );
  const rows = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const table = () => (
    <table>
      <tbody>{rows.map((row, index) => rowOf(String(index), row, index))}</tbody>
    </table>
  );
  const { rerender, getByText } = render(table());
  expect(cell).toHaveBeenCalledTimes(3);
  rows[1] = { name: "changed" };
  rerender(table());
  expect(getByText("changed")).toBeTruthy();
  expect(cell).toHaveBeenCalledTimes(4);
});
