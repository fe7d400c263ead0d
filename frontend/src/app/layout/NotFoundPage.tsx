import { AppLink } from "@/components/AppLink";
import { Callout } from "@/ui/Callout";

export function NotFoundPage() {
  return (
    <Callout
      tone="unknown"
      title="There is nothing at this address."
      description="It may have been removed, or it is not yours to see."
      actions={<AppLink to="/links">All links</AppLink>}
    />
  );
}
