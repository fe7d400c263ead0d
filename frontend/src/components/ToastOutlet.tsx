import { useSyncExternalStore } from "react";
import { subscribeToToastContainer, toastContainer } from "./toast";

/** The place of the toasts inside the theme; nothing is loaded or drawn before the first toast. */
export function ToastOutlet() {
  return useSyncExternalStore(subscribeToToastContainer, toastContainer);
}
