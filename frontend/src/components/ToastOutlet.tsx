import { useSyncExternalStore } from "react";
import { toastContainer } from "./toast";

/** The place of the toasts inside the theme; nothing is loaded or drawn before the first toast. */
export function ToastOutlet() {
  const Container = useSyncExternalStore(toastContainer.subscribe, toastContainer.current);
  return Container && <Container />;
}
