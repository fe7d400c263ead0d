import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { sessionQuery } from "@/api/resources/session";
import { PageHeader } from "@/components/PageHeader";
import { SignOutButton } from "./SignOutButton";
import { SecondFactorsPanel } from "./second-factors/SecondFactorsPanel";

/** The only page of a user whose role needs a second factor that the user has yet to add. */
export function AddSecondFactorPage() {
  const router = useRouter();
  const client = useQueryClient();
  // While it is watched, an invalidated session is read again before the navigation asks for it.
  useQuery(sessionQuery());
  const goOn = async () => {
    await client.invalidateQueries(sessionQuery());
    await router.navigate({ to: "/links" });
  };
  return (
    <main className="stack" style={{ maxWidth: 720, margin: "0 auto", padding: 20 }}>
      <PageHeader title="Add a second factor">
        <SignOutButton />
      </PageHeader>
      <SecondFactorsPanel onCodesKept={() => void goOn()} />
    </main>
  );
}
