import type { NotificationData } from "@mantine/notifications";
import { createElement, type ReactNode } from "react";
import { Problem } from "@/api/problem";
import type * as ToastModule from "./ToastContainer";

const listeners = new Set<() => void>();
let container: ReactNode = null;
let loading: Promise<typeof ToastModule> | undefined;

async function load(): Promise<typeof ToastModule> {
  const module = await import("./ToastContainer");
  container = createElement(module.ToastContainer);
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

/** Reports that an action succeeded; the toast closes automatically. */
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

/** The container of the toasts; null before the first toast. */
export const toastContainer = (): ReactNode => container;

/** Calls back when the container has been loaded; returns how to stop that. */
export function subscribeToToastContainer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
