import { MantineProvider } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const NONCE = "nonce-of-this-page";

/** Fresh modules, as in a page that has shown no toast yet. */
async function renderOutlet() {
  const toast = await import("./toast");
  const { ToastOutlet } = await import("./ToastOutlet");
  render(
    <MantineProvider getStyleNonce={() => NONCE}>
      <ToastOutlet />
    </MantineProvider>,
  );
  return toast;
}
const containers = () => document.querySelectorAll('[data-position="bottom-right"]').length;

describe("toasts", () => {
  beforeEach(() => vi.resetModules());
  afterEach(() => act(() => notifications.clean()));

  it("mount their container on the first toast, and once", async () => {
    const { showSuccess } = await renderOutlet();
    expect(containers()).toBe(0);
    showSuccess("The settings are saved.");
    showSuccess("The schedule is saved.");
    expect(await screen.findByText("The settings are saved.")).toBeVisible();
    expect(screen.getByText("The schedule is saved.")).toBeVisible();
    expect(containers()).toBe(1);
  });

  it("announce a success politely and a problem at once", async () => {
    const { showSuccess, showProblem } = await renderOutlet();
    showSuccess("The settings are saved.");
    showProblem(new Error("The server did not answer."), "Revoking the token");
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Revoking the token failedThe server did not answer.",
    );
    expect(screen.getByRole("status")).toHaveTextContent("The settings are saved.");
  });

  it("give the title and the detail of a problem, and close on request", async () => {
    const { showProblem } = await renderOutlet();
    const { Problem } = await import("@/api/problem");
    const detail = "Your role is viewer.";
    showProblem(new Problem(403, "forbidden", "Not allowed", detail, null, [], {}), "Saving");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Not allowed: Your role is viewer.");
    await userEvent.click(screen.getByRole("button"));
    await waitFor(() => expect(alert).not.toBeInTheDocument());
  });

  it("write no style without the nonce of the page", async () => {
    const { showSuccess } = await renderOutlet();
    showSuccess("The settings are saved.");
    await screen.findByText("The settings are saved.");
    const styles = [...document.body.querySelectorAll("style")];
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.map((style) => style.nonce)).toEqual(styles.map(() => NONCE));
  });

  it("leave a toast out when their code cannot be loaded, and load it with the next", async () => {
    vi.doMock("./ToastContainer", () => {
      throw new Error("offline");
    });
    const { showSuccess } = await renderOutlet();
    showSuccess("The settings are saved.");
    await vi.dynamicImportSettled();
    vi.doUnmock("./ToastContainer");
    showSuccess("The schedule is saved.");
    expect(await screen.findByText("The schedule is saved.")).toBeVisible();
    expect(screen.queryByText("The settings are saved.")).toBeNull();
  });
});
