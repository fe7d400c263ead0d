import type { ChannelError, LinkDetail } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { useCan } from "@/components/use-session";
import { kindOf, OPERATIONS } from "@/domain/operations";
import { currentParticipants } from "@/domain/participants";
import { SqlBlock } from "@/ui/SqlBlock";
import css from "./ChannelErrors.module.css";
import { sessionsOf } from "./channel-errors";
import { operationLink } from "./suggested-relocation";

type Resolution = ChannelError["ways"][number];

function Sessions({ statements }: { statements: Resolution["statements"] }) {
  return sessionsOf(statements).map((session) => (
    <div key={`${session.node} ${session.sql[0]}`}>
      <p className="dim">On {session.node}, in one session:</p>
      <SqlBlock statements={session.sql} label={`statements for ${session.node}`} />
    </div>
  ));
}

/** A way to resolve the error: the statements that you run on each node, then the operation of Hawser. */
export function ChannelErrorResolution({ link, way }: { link: LinkDetail; way: Resolution }) {
  const mayPlan = useCan("plan");
  const kind = kindOf(way.plan_kind);
  return (
    <li className={css.way}>
      <h3 className="strong">{way.title}</h3>
      <p>{way.sentence}</p>
      <Sessions statements={way.statements} />
      {way.put_back.length > 0 && (
        <details>
          <summary>Statements that restore the deleted row</summary>
          <Sessions statements={way.put_back} />
        </details>
      )}
      {mayPlan && kind && (
        <ButtonLink className={css.plan ?? ""} variant="default" {...operationLink(link, kind)}>
          {OPERATIONS[kind].action(currentParticipants(kind, link))}…
        </ButtonLink>
      )}
    </li>
  );
}
