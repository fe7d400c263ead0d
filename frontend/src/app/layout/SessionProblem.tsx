import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ProblemAlert } from "@/components/ProblemAlert";
import css from "./AppLayout.module.css";

/** Whether somebody is signed in could not be read: no page can be shown. */
export function SessionProblem({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className={css.main}>
      <ProblemAlert error={error} action="reach Hawser" retry={() => void router.invalidate()} />
    </main>
  );
}
