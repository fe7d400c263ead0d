import { AppLink } from "@/components/AppLink";
import { Callout } from "@/ui/Callout";
import css from "./AppLayout.module.css";

/** Shown within the layout for an address without a page. */
export function NotFoundPage() {
  return (
    <>
      <title>Not found · Hawser</title>
      <h1 className="sr-only">Not found</h1>
      <Callout
        tone="unknown"
        title="Page not found."
        description="The page was removed, or you have no access to it."
        actions={<AppLink to="/links">Show all links</AppLink>}
      />
    </>
  );
}

/** An address that no route has: the page is shown without the layout. */
export function UnknownAddressPage() {
  return (
    <main className={css.main}>
      <NotFoundPage />
    </main>
  );
}
