import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ProblemAlert } from "@/components/ProblemAlert";
import css from "./AppLayout.module.css";

/** Shown instead of the layout while the session cannot be read. */
export function SessionProblem({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className={css.main}>
      <title>Session unknown · Hawser</title>
      <h1 className="sr-only">Session unknown</h1>
      <ProblemAlert error={error} action="reach Hawser" retry={() => void router.invalidate()} />
    </main>
  );
}
