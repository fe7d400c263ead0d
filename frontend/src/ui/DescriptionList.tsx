import type { ReactNode } from "react";
import css from "./DescriptionList.module.css";
import { Unknown } from "./Unknown";

/** Names and their values; a missing value is shown as unknown. */
export function DescriptionList({ items }: { items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css.list}>
      {items.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function FactRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value === null || value === undefined || value === "" ? <Unknown /> : value}</dd>
    </>
  );
}
