import { type ReactNode, Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";

interface DeferredProps {
  /** What stands in its place meanwhile. */
  fallback?: ReactNode;
  children: ReactNode;
}

/**
 * A part of the page whose code is loaded when it is first shown. Where it cannot be, as after an
 * upgrade behind an open page, the rest of the page stays, and the user is told what helps.
 */
export function Deferred({ fallback = null, children }: DeferredProps) {
  return (
    <ErrorBoundary
      fallback={
        <span role="alert" className="dim">
          This part could not be loaded. Reload the page.
        </span>
      }
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
