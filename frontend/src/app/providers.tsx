import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import type { ReactNode } from "react";
import { Problem } from "@/api/problem";
import { ZoneProvider } from "@/components/clock";
import { cssVariables, theme } from "./theme";

/** The nonce the server wrote into this page; styles made at run time carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

/** A refusal is an answer and is not asked for again; only silence is. */
const worthRetrying = (count: number, error: Error) =>
  count < 2 && !(error instanceof Problem && error.status >= 400 && error.status < 500);

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: worthRetrying, refetchOnWindowFocus: true, staleTime: 500 } },
});

export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ZoneProvider>{children}</ZoneProvider>
      </QueryClientProvider>
      <Notifications position="bottom-right" />
    </MantineProvider>
  );
}
