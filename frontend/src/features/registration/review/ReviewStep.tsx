import { Button, Checkbox } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRegister } from "@/api/resources/registrations";
import type { Registration } from "@/api/types";
import { ProblemAlert } from "@/components/ProblemAlert";
import { CopyButton } from "@/ui/CopyButton";
import { DescriptionList } from "@/ui/DescriptionList";
import { Panel } from "@/ui/Panel";
import { NextStep } from "../NextStep";
import css from "../Registrations.module.css";
import { partName } from "../steps";
import { OpenPoints } from "./OpenPoints";

/** The same registration as a file, for who keeps it under version control. */
const DeclarationPanel = ({ text }: { text: string }) => (
  <Panel title="As a file" aside="for hawser_apply; passwords by reference">
    <details>
      <summary>Show the file</summary>
      <div className="row end">
        <CopyButton text={text} label="Copy the file" words="Copy" quiet />
      </div>
      <pre className={css.file}>{text}</pre>
    </details>
  </Panel>
);

function summary(draft: Registration): [string, string][] {
  const active = draft.link.active || draft.link.suggested_active;
  const standby = active === "first" ? "second" : "first";
  const sides = (["first", "second"] as const).map((side): [string, string] => {
    const { nodes, tls } = draft[side];
    return [
      partName(draft, side),
      `${nodes.map(({ name }) => name).join(", ") || "no nodes"}; TLS ${tls.mode || "not chosen"}`,
    ];
  });
  return [
    ["Link", draft.link.name || "no name yet"],
    [
      "Active, then standby",
      active ? `${partName(draft, active)}, ${partName(draft, standby)}` : "",
    ],
    ...sides,
  ];
}

function RegisterPanel({ draft }: { draft: Registration }) {
  const navigate = useNavigate();
  const register = useRegister(draft.id);
  const [accepts, setAccepts] = useState(false);
  const { open_points: points } = draft;
  const isRefused = points.some((point) => point.must);
  const onClick = async () => {
    await register.mutateAsync(accepts);
    await navigate({
      to: "/registrations/$registrationId",
      params: { registrationId: draft.id },
      search: { step: "rehearsal" },
    });
  };
  return (
    <div className="stack">
      {register.isError && <ProblemAlert error={register.error} action="register the link" />}
      {points.length > 0 && !isRefused && (
        <Checkbox
          label="Register although these points are open"
          checked={accepts}
          onChange={(event) => setAccepts(event.currentTarget.checked)}
        />
      )}
      <div className="row end">
        <Button
          disabled={isRefused || (points.length > 0 && !accepts)}
          loading={register.isPending}
          onClick={() => void onClick().catch(() => undefined)}
        >
          Register both clusters and the link
        </Button>
      </div>
    </div>
  );
}

/** What is registered, and what is still open. */
export function ReviewStep({ draft }: { draft: Registration }) {
  return (
    <div className="stack">
      <Panel title="What is registered" aside="nothing on a server is changed, but hawser.probe">
        <DescriptionList items={summary(draft)} />
      </Panel>
      <Panel title="Open points">
        <div className="stack">
          <OpenPoints draft={draft} />
          {draft.link_id === null ? (
            <RegisterPanel draft={draft} />
          ) : (
            <>
              <p>Both clusters and the link are registered.</p>
              <NextStep id={draft.id} step="rehearsal" isReady />
            </>
          )}
        </div>
      </Panel>
      <DeclarationPanel text={draft.declaration} />
    </div>
  );
}
