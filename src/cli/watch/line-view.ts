/** A watch in a file or a pipe: one line for each change. */
import { oneLine } from "../output/one-line.ts";
import type { ClaimProgress, Growth } from "../status/report.ts";
import type { View } from "./view.ts";

export function lineView(write: (text: string) => void, withNamespace: boolean): View {
  const told = new Map<string, string>();
  const tell = (key: string, line: string): void => {
    if (told.get(key) === line) return;
    told.set(key, line);
    write(`${oneLine(line)}\n`);
  };
  return {
    show({ items }) {
      for (const growth of items) {
        const where = withNamespace ? `${growth.namespace}/` : "";
        for (const claim of growth.claims) tell(`${growth.namespace}/pvc/${claim.name}`, where + claimLine(claim));
        const line = setLine(growth);
        if (line !== "") tell(`${growth.namespace}/sts/${growth.name}`, where + line);
      }
    },
  };
}

function claimLine({ name, from, to, state, why }: ClaimProgress): string {
  return `${name}  ${movement({ from, to })}  ${state}${why === "" ? "" : `: ${why}`}`;
}

function setLine({ kind, name, phase, message }: Growth): string {
  if (kind !== "StatefulSet" || (phase === undefined && message === "")) return "";
  return `sts/${name}  ${phase ?? ""}${message === "" ? "" : `: ${message}`}`;
}

/** `1Gi → 2Gi`, or the one size where there is no other. */
export function movement({ from, to }: Pick<ClaimProgress, "from" | "to">): string {
  return from === "" || from === to ? to : `${from} → ${to}`;
}
