import { useState } from "react";
import type { Registration, RegistrationSide } from "@/api/types";
import { NextStep } from "../NextStep";
import { isDone } from "../steps";
import { AccountsPanel } from "./AccountsPanel";
import { CheckPanel } from "./CheckPanel";
import { ClientCertificatePanel } from "./ClientCertificatePanel";
import { ConnectPanel } from "./ConnectPanel";
import { MembersPanel } from "./MembersPanel";
import { SettingsPanel } from "./SettingsPanel";
import { TlsPanel } from "./TlsPanel";

interface SideStepProps {
  draft: Registration;
  side: RegistrationSide;
}

/** One cluster: connect, members, TLS, accounts, settings. The password is kept until the page is left. */
export function SideStep({ draft, side }: SideStepProps) {
  const [password, setPassword] = useState("");
  const content = draft[side];
  const found = content.discovered;
  const shared = { draft, side };
  return (
    <div className="stack">
      <ConnectPanel
        key={`connect ${found?.at ?? ""}`}
        {...shared}
        password={password}
        setPassword={setPassword}
      />
      {found && (
        <>
          <MembersPanel key={`members ${found.at}`} {...shared} found={found} />
          <TlsPanel key={`tls ${found.at}`} {...shared} found={found} />
          <ClientCertificatePanel {...shared} />
          <AccountsPanel
            key={`accounts ${found.at}`}
            {...shared}
            found={found}
            password={password}
            setPassword={setPassword}
          />
          <SettingsPanel
            title="Settings that must change"
            settings={found.settings}
            none="Every setting is as needed."
          />
          <CheckPanel {...shared} />
        </>
      )}
      <NextStep
        id={draft.id}
        step={side === "first" ? "second" : "link"}
        isReady={isDone(draft, side)}
      />
    </div>
  );
}
