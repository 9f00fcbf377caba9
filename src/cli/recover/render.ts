/** A diagnosis in words: what failed, why, and which sizes are legal. */
import { count, someOf } from "../../admission/preflight/check.ts";
import { oneLine } from "../output/one-line.ts";
import { hanging } from "../output/wrap.ts";
import type { Diagnosis, Part } from "./diagnosis.ts";

/** Empty when nothing has failed. */
export function renderDiagnosis({ target, parts, apart }: Diagnosis, width: number | undefined): string {
  const lines = parts.flatMap((part) => describe(part, target.kind !== "PersistentVolumeClaim"));
  if (apart.length > 0) {
    lines.push(["ALSO", `${someOf(apart)} failed on a size that the set does not ask for: outgrow recover pvc/NAME`]);
  }
  return lines.map(([name, text]) => `${hanging(`${name.padEnd(6)}  `, oneLine(text), width)}\n`).join("");
}

function describe({ name, failures, above, proposal }: Part, ofMany: boolean): [string, string][] {
  const [first] = failures;
  if (first === undefined) return [];
  const who = ofMany
    ? `${name}: ${count(failures.length, "claim")} (${someOf(failures.map(({ claim }) => claim))})`
    : first.claim;
  const tried = first.tried === undefined ? "" : `, last tried at ${first.tried}`;
  const lines: [string, string][] = [
    ["FAILED", `${who}: asked for ${first.request}, has ${first.capacity}${tried}`],
    ["WHY", first.message],
  ];
  if (failures.some(({ at }) => at === "node")) {
    lines.push([
      "LEGAL",
      `the storage has grown already, and only the file system has not: a smaller size helps only with drivers that grow nothing but the file system (more than ${above}). Mend what the node says; it is tried again by itself`,
    ]);
  } else {
    const less = proposal === undefined ? "nothing lies between that and what failed" : `for example ${proposal}`;
    lines.push(["LEGAL", `any size of more than ${above}; ${less}. What the storage cannot do fails again`]);
  }
  return lines;
}
