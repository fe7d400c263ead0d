import type { ErrorComponentProps } from "@tanstack/react-router";
import { Go } from "@/components/Go";
import { Statement } from "@/ui/Statement";

/** A page that could not be drawn; the sidebar and all other pages still work. */
export function PageCrash({ error, reset }: ErrorComponentProps) {
  return (
    <Statement
      tone="bad"
      sentence="This page could not be drawn."
      detail={
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

export function NotFound() {
  return (
    <Statement
      tone="unknown"
      sentence="There is nothing at this address."
      detail="It may have been removed, or it is not yours to see."
      actions={<Go to="/links">All links</Go>}
    />
  );
}
