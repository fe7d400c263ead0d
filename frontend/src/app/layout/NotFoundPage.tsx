import { AppLink } from "@/components/AppLink";
import { Callout } from "@/ui/Callout";

/** Shown for an address without a page. */
export function NotFoundPage() {
  return (
    <Callout
      tone="unknown"
      title="Page not found."
      description="It was removed, or you have no access to it."
      actions={<AppLink to="/links">Show all links</AppLink>}
    />
  );
}
