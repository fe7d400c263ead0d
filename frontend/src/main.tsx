import "@/ui/styles/mantine.css";
import "@/ui/styles/fonts.css";
import "@/ui/styles/tokens.css";
import "@/ui/styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/App";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
