import { useRouter } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type MouseEvent, type Ref, useCallback } from "react";

interface AppLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  to: string;
  ref?: Ref<HTMLAnchorElement>;
}

const opensElsewhere = (event: MouseEvent) =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

/** Follow an address of this console by its text, so that addresses can be data. */
export function useGoTo(): (address: string) => void {
  const router = useRouter();
  return useCallback((address) => router.history.push(address), [router]);
}

/** A link within the console: a true anchor, so it can be copied and opened in another tab. */
export function AppLink({ to, children, onClick, ...rest }: AppLinkProps) {
  const go = useGoTo();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || opensElsewhere(event)) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
