/** Definitions of what the server has by itself: `storageclasses.storage.k8s.io`, with an approval that anybody can write. */
import { BUILT_IN } from "../../kinds/built-in.ts";
import type { Definition } from "./definition.ts";

const NAMES: ReadonlySet<string> = new Set(BUILT_IN.map(({ group, plural }) => `${plural}.${group}`));

/**
 * Whether its objects would be stored where those of a built-in kind are. Such a definition is taken, as upstream; it
 * serves nothing, because the built-in kind is served already, and takes nothing along when it goes.
 */
export function overlapsBuiltIn({ spec }: Pick<Definition, "spec">): boolean {
  return NAMES.has(`${spec.names.plural}.${spec.group}`);
}
