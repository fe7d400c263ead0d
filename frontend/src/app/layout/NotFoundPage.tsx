import { AppLink } from "@/components/AppLink";
import { Callout } from "@/ui/Callout";
import css from "./AppLayout.module.css";

export function NotFoundPage() {
  return (
    <>
      <title>Not found · Hawser</title>
      <h1 className="sr-only">Not found</h1>
      <Callout
        tone="unknown"
        title="There is nothing at this address."
        description="It may have been removed, or it is not yours to see."
        actions={<AppLink to="/links">All links</AppLink>}
      />
    </>
  );
}

/** An address that no route has: the page stands alone, without the layout. */
export function UnknownAddressPage() {
  return (
    <main className={css.main}>
      <NotFoundPage />
    </main>
  );
}
