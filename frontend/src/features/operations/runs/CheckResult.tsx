import { StatusChip } from "@/ui/StatusChip";

/** The result of a check as a chip; null means that it could not be checked. */
export function CheckResult(props: { value: boolean | null; yes: string; no: string }) {
  const { value, yes, no } = props;
  if (value === null) return <StatusChip tone="unknown">unknown</StatusChip>;
  return <StatusChip tone={value ? "ok" : "bad"}>{value ? yes : no}</StatusChip>;
}
