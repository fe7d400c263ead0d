import type { NotificationData } from "@mantine/notifications";
import type { ComponentType } from "react";
import { Problem } from "@/api/problem";

type ToastModule = typeof import("./ToastContainer");

const listeners = new Set<() => void>();
let container: ComponentType | null = null;
let loading: Promise<ToastModule> | undefined;

async function load(): Promise<ToastModule> {
  const module = await import("./ToastContainer");
  container = module.ToastContainer;
  for (const listener of listeners) listener();
  return module;
}

/** A toast only repeats what the page shows: where its code cannot be loaded it is left out. */
async function show(toast: NotificationData): Promise<void> {
  try {
    loading ??= load();
    const { notifications } = await loading;
    notifications.show(toast);
  } catch {
    loading = undefined;
  }
}

/** Reports that an action succeeded; the toast closes by itself. */
export function showSuccess(message: string): void {
  void show({ message, color: "teal", role: "status" });
}

/** Reports that an action failed, for example "Revoking the token"; the toast stays until closed. */
export function showProblem(error: unknown, action: string): void {
  const reasons =
    error instanceof Problem
      ? [error.title, error.detail]
      : [error instanceof Error ? error.message : String(error)];
  const message = reasons.filter((reason) => reason !== "").join(": ");
  void show({ title: `${action} failed`, message, color: "red", autoClose: false });
}

/** The component that shows the toasts; null before the first toast. For `ToastOutlet`. */
export const toastContainer = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): ComponentType | null => container,
};
