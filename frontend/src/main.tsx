import "@/ui/styles/mantine.css";
import "@/ui/styles/fonts.css";
import "@/ui/styles/tokens.css";
import "@/ui/styles/base.css";
import "@/ui/styles/print.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";

// Only where Django serves the build: the development server and the mock API have no use for it.
if (import.meta.env.BASE_URL === "/static/" && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
