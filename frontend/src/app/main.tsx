import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@/ui/fonts.css";
import "@/ui/tokens.css";
import "@/ui/base.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./providers";
import { router } from "./router";

const mount = document.getElementById("root");
if (!mount) throw new Error("index.html has no #root");
createRoot(mount).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
