/** What two servers say to the same object, as far as it can be compared. */
import { differences, normal } from "../api/normal.ts";
import type { Answer } from "../api/server.ts";

/** Of two refusals the words; of two answers the objects. */
export function differencesOf(mine: Answer, real: Answer): string[] {
  const [ours, theirs] = [wordsOf(mine), wordsOf(real)];
  if (ours !== theirs) return [`ours ${ours}, theirs ${theirs}`];
  return mine.status < 300 ? differences(comparable(mine.body), comparable(real.body)) : [];
}

function wordsOf({ status, body }: Answer): string {
  if (status < 300) return "OK";
  const { message = "" } = normal(body) as { message?: string };
  return `${status} ${withoutInsides(message)}`;
}

/**
 * Kubernetes shows what changed as a difference of two of its structures, and what may not change as such a structure: their fields have
 * names of their own, and all of them are shown.
 */
function withoutInsides(message: string): string {
  return message
    .replace(/\n[-+@][^]*?(?=\]?$)/, "")
    .replace(
      /Invalid value: (?:[[{][^]*?|null|"[^"]*"): (field is immutable|must match)/g,
      "Invalid value: <value>: $1",
    )
    .replace(/x{50,}/g, "xxx…")
    .replace(/^(.* is invalid: )\[(.*)\]?$/s, "$1$2")
    .replace(/\]$/, "");
}

interface Answered {
  readonly metadata?: { readonly managedFields?: unknown };
  readonly spec?: { readonly ports?: readonly { readonly nodePort?: number }[]; readonly healthCheckNodePort?: number };
}

/** Without who wrote what, which is another suite's, and ports by chance. */
function comparable(body: unknown): unknown {
  const copy = structuredClone(body) as Answered;
  const { metadata, spec } = copy;
  if (metadata !== undefined) Reflect.deleteProperty(metadata, "managedFields");
  for (const port of spec?.ports ?? []) if ((port.nodePort ?? 0) >= 30_000) Reflect.set(port, "nodePort", 30_000);
  return normal(copy);
}
