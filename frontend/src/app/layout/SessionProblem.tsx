import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ProblemAlert } from "@/components/ProblemAlert";
import css from "./AppLayout.module.css";

/** Shown instead of the layout while the session cannot be read. */
export function SessionProblem({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className={css.main}>
      <ProblemAlert error={error} action="reach Hawser" retry={() => void router.invalidate()} />
    </main>
  );
}
