import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "@/api/resources/session";
import { PageHeader } from "@/components/PageHeader";
import { PasswordPanel } from "./PasswordPanel";
import { PrivacyNoticePanel } from "./PrivacyNoticePanel";
import { SignOutButton } from "./SignOutButton";

/** The only page of a user who has yet to replace an initial password, or to agree to what is kept. */
export function FirstStepsPage() {
  const router = useRouter();
  const client = useQueryClient();
  const user = useQuery(sessionQuery()).data;
  const isDone = Boolean(user && !user.must_change_password && !user.must_accept_notice);
  useEffect(() => {
    if (isDone) void router.navigate({ to: "/links" });
  }, [isDone, router]);
  const readAgain = () => void client.invalidateQueries(sessionQuery());
  return (
    <main className="stack" style={{ maxWidth: 720, margin: "0 auto", padding: 20 }}>
      <PageHeader title="First steps">
        <SignOutButton />
      </PageHeader>
      {user?.must_change_password && <PasswordPanel isInitial onChanged={readAgain} />}
      {user?.must_accept_notice && <PrivacyNoticePanel onAccepted={readAgain} />}
    </main>
  );
}
