import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { useEffect } from "react";
import { StepUpOutlet } from "@/components/second-factor/StepUpOutlet";
import { ToastOutlet } from "@/components/ToastOutlet";
import { focusHeadingOnNavigation } from "./layout/focus-heading";
import { queryClient } from "./query-client";
import { router } from "./router";
import { cssVariables, theme } from "./theme";

/** The nonce the server wrote into this page; styles made at run time carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
setNonce(nonce);

/** The console: theme, data and routes. */
export function App() {
  useEffect(() => focusHeadingOnNavigation(router), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <StepUpOutlet />
      <ToastOutlet />
    </MantineProvider>
  );
}
