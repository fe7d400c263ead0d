import { Notifications } from "@mantine/notifications";
import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";

export { notifications } from "@mantine/notifications";

/** Where toasts appear. Only toast.ts loads this module, on the first toast. */
export function ToastContainer() {
  return <Notifications position="bottom-right" />;
}
