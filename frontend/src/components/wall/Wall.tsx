import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import css from "./Wall.module.css";

interface WallProps {
  title: string;
  /** Beside the title: the state. */
  children: ReactNode;
  /** At the right of the head: the age of the data, and the way back. */
  right: ReactNode;
  /** What stands below the head, as large as the screen leaves room for. */
  body: ReactNode;
}

/** A page to be read across a room: it fills the screen, without navigation. Escape leads back. */
export function Wall({ title, children, right, body }: WallProps) {
  const navigate = useNavigate();
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented)
        void navigate({ to: ".", search: (now) => ({ ...now, view: undefined }) });
    };
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  }, [navigate]);
  return (
    <div className={css.wall} data-wall>
      <header className={css.head}>
        <title>{`${title} · Hawser`}</title>
        <h1>{title}</h1>
        {children}
        <div className={css.right}>{right}</div>
      </header>
      {body}
    </div>
  );
}
