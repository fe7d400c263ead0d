import { Button } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { Callout } from "@/ui/Callout";
import { useReload } from "./use-reload";

/** Shown instead of a page that failed; the sidebar and all other pages still work. */
export function ErrorPage({ error }: ErrorComponentProps) {
  if (useReload(error)) return null;
  return (
    <>
      <title>Page failed · Hawser</title>
      <h1 className="sr-only">Page failed</h1>
      <Callout
        tone="bad"
        title="This page failed to load."
        description={
          <>
            <code>{error instanceof Error ? error.message : String(error)}</code>. Runs are not
            affected; they execute on the server.
          </>
        }
        actions={
          <Button variant="default" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        }
      />
    </>
  );
}
