/** `outgrow resize sts/NAME --cancel`: takes a wish back, and says what cannot be taken back any more. */
import { someOf } from "../../admission/preflight/check.ts";
import { WISH_ANNOTATION } from "../../core/names.ts";
import { Quantity } from "../../core/quantity.ts";
import { STATEFUL_SETS } from "../../kube/index.ts";
import type { Connection } from "../cluster/connect.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { judge } from "../status/judge.ts";
import { takePicture } from "../status/picture.ts";
import type { ClaimProgress } from "../status/report.ts";
import { select } from "../status/select.ts";
import type { Terminal } from "../terminal.ts";
import { cancelWish } from "./ask-set.ts";

export async function cancel({ client, namespace }: Connection, name: string, terminal: Terminal): Promise<ExitCode> {
  const set = await client.get(STATEFUL_SETS, { namespace, name });
  const wish = set.metadata.annotations?.[WISH_ANNOTATION];
  if (wish === undefined) {
    terminal.write(`sts/${name} has no wish to take back; what it is to have is written in its templates\n`);
    return EXIT.done;
  }
  const { picture } = await takePicture({ client }, namespace);
  const [growth] = select(judge(picture), { kind: "StatefulSet", name }, namespace);
  await cancelWish(client, set);
  terminal.write(`sts/${name} no longer asks for ${wish}\n`);
  for (const line of whatStays(growth?.claims ?? [])) terminal.write(`${line}\n`);
  return EXIT.done;
}

/** What is under way cannot be called back: the storage may be at it, and volumes never shrink. */
export function whatStays(claims: readonly ClaimProgress[]): readonly string[] {
  const named = (fits: (claim: ClaimProgress) => boolean): string =>
    someOf(claims.filter(fits).map(({ name }) => name));
  const underWay = named(({ state }) => state === "Growing" || state === "Waiting");
  const failed = named(({ state }) => state === "Failed" || state === "Recovering");
  const grown = named((claim) => claim.state === "Done" && hasGrown(claim));
  const kept = named(({ state }) => state === "Pending");
  return [
    ...(kept === "" ? [] : [`stay as they are: ${kept}`]),
    ...(underWay === "" ? [] : [`under way, and finished all the same: ${underWay}`]),
    ...(grown === "" ? [] : [`grown already, and volumes never shrink: ${grown}`]),
    ...(failed === "" ? [] : [`failed, and still asking for it: ${failed}; see outgrow recover pvc/NAME`]),
  ];
}

function hasGrown({ from, capacity }: ClaimProgress): boolean {
  const [before, now] = [Quantity.tryParse(from), Quantity.tryParse(capacity)];
  return before !== undefined && now?.moreThan(before) === true;
}
