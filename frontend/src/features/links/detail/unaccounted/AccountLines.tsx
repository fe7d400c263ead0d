import { useQuery } from "@tanstack/react-query";
import { unaccountedQuery } from "@/api/resources/unaccounted";
import type { Direction, DirectionAccount, DirectionProof, LinkDetail } from "@/api/types";
import { Timestamp } from "@/components/Timestamp";
import { formatNumber, pluralize } from "@/lib/format/number";
import { ProofBand } from "../proof/ProofBand";
import { shareText } from "../proof/proof";
import css from "./AccountLines.module.css";
import { DIRECTIONS, wayOf } from "./unaccounted";

/** "All 12,431 transactions since 10:03:07 are on both sides"; as long as some are not, those that are. */
function Account({ account }: { account: DirectionAccount }) {
  const { since, until, groups, compared, transactions, more } = account;
  if (since === null || until === null) return <>not accounted for yet</>;
  const open = transactions.length + more;
  const count = pluralize(groups, "transaction");
  if (groups + open === 0)
    return (
      <>
        no transaction since <Timestamp at={since} /> (checked <Timestamp at={until} />)
      </>
    );
  return (
    <>
      {open === 0 && groups > 1 ? `all ${count}` : count} since <Timestamp at={since} />{" "}
      {groups === 1 ? "is" : "are"} on both sides
      {compared > 0 &&
        `, ${compared === groups ? "" : `${formatNumber(compared)} `}compared row by row`}
      {open > 0 && `, ${pluralize(open, "transaction")} not`} (checked <Timestamp at={until} />)
    </>
  );
}

interface LinesProps {
  link: LinkDetail;
  /** When they were proven, over time. */
  proofs: readonly DirectionProof[];
}

/** For each direction that has a channel or had one: since when all that it passed is on both sides, and over time. */
export function AccountLines({ link, proofs }: LinesProps) {
  const { data } = useQuery(unaccountedQuery(link.id));
  const proofOf = (direction: Direction) => proofs.find((one) => one.direction === direction);
  const directions = DIRECTIONS.filter(
    (direction) =>
      link.channels.some((channel) => channel.direction === direction && !channel.stray) ||
      (proofOf(direction)?.periods.length ?? 0) > 0,
  );
  if (!data || directions.length === 0) return null;
  return (
    <ul className={css.lines}>
      {directions.map((direction) => {
        const proof = proofOf(direction);
        return (
          <li key={direction}>
            {wayOf(link, direction)}: <Account account={data[direction]} />
            {proof && `; ${shareText(proof)}`}
            {proof && <ProofBand proof={proof} />}
          </li>
        );
      })}
    </ul>
  );
}
