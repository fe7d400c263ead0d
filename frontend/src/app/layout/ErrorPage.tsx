import type { ErrorComponentProps } from "@tanstack/react-router";
import { Callout } from "@/ui/Callout";

/** A page that could not be drawn; the sidebar and all other pages still work. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <Callout
      tone="bad"
      title="This page could not be drawn."
      description={
        <>
          <code>{error instanceof Error ? error.message : String(error)}</code>. Runs go on: they
          live on the server, not in this page.
        </>
      }
      actions={
        <button type="button" onClick={reset}>
          Draw it again
        </button>
      }
    />
  );
}
