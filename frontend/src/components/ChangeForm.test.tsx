import { MantineProvider, TextInput } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problem";
import { ChangeForm } from "./ChangeForm";
import { useChangeForm } from "./use-change-form";

interface Row {
  name: string;
  mode: string;
  version: number;
}

type Save = (change: { version: number; body: object }) => Promise<unknown>;

function Form({ row, save }: { row: Row; save: Save }) {
  const change = useChangeForm({
    initialValues: { name: row.name, tls: { mode: row.mode }, reason: "" },
    version: row.version,
    save,
  });
  return (
    <MantineProvider>
      <ChangeForm change={change} action="save the row" submitLabel="Save row">
        <TextInput label="Name" {...change.form.getInputProps("name")} />
        <TextInput label="Mode" {...change.form.getInputProps("tls.mode")} />
      </ChangeForm>
    </MantineProvider>
  );
}

const refusal = (status: number, code: string, errors: { field: string; message: string }[] = []) =>
  new Problem(status, code, "Refused", "Nothing was changed.", null, errors, {});

const OLD: Row = { name: "milan", mode: "required", version: 7 };
const NEW: Row = { name: "torino", mode: "disabled", version: 8 };

/** The form of a row that another user changes while this user types. */
async function typed(save: Save) {
  const { rerender } = render(<Form row={OLD} save={save} />);
  await userEvent.clear(screen.getByLabelText("Name"));
  await userEvent.type(screen.getByLabelText("Name"), "milano");
  await userEvent.type(screen.getByLabelText("Reason"), " CHG-1 ");
  rerender(<Form row={NEW} save={save} />);
}

const send = () => userEvent.click(screen.getByRole("button", { name: "Save row" }));
const bodyOf = (name: string, mode: string) => ({ name, tls: { mode }, reason: "CHG-1" });

describe("the form of a change", () => {
  it("test_reason__missing__not_sent", async () => {
    const save = vi.fn<Save>();
    render(<Form row={OLD} save={save} />);
    await userEvent.click(screen.getByRole("button", { name: /^Save row.*Enter a reason/ }));
    expect(save).not.toHaveBeenCalled();
  });

  it("test_version__raised_while_typing__the_one_it_was_opened_with_is_sent", async () => {
    const save = vi.fn<Save>().mockResolvedValue(undefined);
    await typed(save);
    await send();
    expect(save).toHaveBeenCalledExactlyOnceWith({
      version: 7,
      body: bodyOf("milano", "required"),
    });
  });

  it.each([
    ["Keep my input", bodyOf("milano", "required")],
    ["Load current values", bodyOf("torino", "disabled")],
  ])("test_changed_meanwhile__%s__sent_on_the_new_version", async (answer, body) => {
    const save = vi.fn<Save>().mockRejectedValueOnce(refusal(412, "version_changed"));
    await typed(save);
    await send();
    expect(await screen.findByRole("alert")).toHaveTextContent(/^Another user changed this/);
    expect(screen.getByLabelText("Name")).toHaveValue("milano");
    await userEvent.click(screen.getByRole("button", { name: answer }));
    expect(screen.queryByRole("alert")).toBeNull();
    await send();
    expect(save).toHaveBeenLastCalledWith({ version: 8, body });
  });

  it("test_refusal__of_a_nested_field__told_there", async () => {
    const errors = [{ field: "tls.mode", message: "db-a3 refuses this mode." }];
    const save = vi.fn<Save>().mockRejectedValue(refusal(409, "trial_failed", errors));
    await typed(save);
    await send();
    expect(await screen.findByLabelText("Mode")).toHaveAccessibleDescription(errors[0]!.message);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("test_refusal__of_a_field_that_the_form_does_not_show__told_as_a_whole", async () => {
    const errors = [{ field: "tls.ca", message: "This mode needs a certificate." }];
    const save = vi.fn<Save>().mockRejectedValue(refusal(400, "validation_failed", errors));
    await typed(save);
    await send();
    expect(await screen.findByRole("alert")).toHaveTextContent("This mode needs a certificate.");
  });
});
