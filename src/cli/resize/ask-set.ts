/** Asking for another size of a set, where the cluster listens: in its templates, or as a wish beside them. */
import { WISH_ANNOTATION } from "../../core/names.ts";
import type { StatefulSet } from "../../core/types.ts";
import { type JsonPatchOperation, type KubeClient, refOf, STATEFUL_SETS, withPrecondition } from "../../kube/index.ts";
import { formatWish, readWish, type Wish } from "../../statefulset/decide/wish.ts";
import { againOnConflict } from "../cluster/again.ts";
import { templateEdit } from "../plan/ask-server.ts";

type Client = Pick<KubeClient, "get" | "patch">;

const ANNOTATION_PATH = `/metadata/annotations/${WISH_ANNOTATION.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * Writes the sizes into the templates, on a server that takes that. A wish for one of these templates goes in the same
 * write: it would count before the template.
 */
export async function askInTemplates(client: Client, set: StatefulSet, asked: Wish): Promise<void> {
  const text = set.metadata.annotations?.[WISH_ANNOTATION];
  const others = new Map([...(readWish(set) ?? [])].filter(([template]) => !asked.has(template)));
  const annotation: JsonPatchOperation[] =
    text === undefined
      ? []
      : [
          { op: "test", path: ANNOTATION_PATH, value: text },
          others.size === 0
            ? { op: "remove", path: ANNOTATION_PATH }
            : { op: "replace", path: ANNOTATION_PATH, value: formatWish(others) },
        ];
  const body = [...templateEdit(set, asked), ...annotation];
  await client.patch(STATEFUL_SETS, refOf(set), { type: "json", body });
}

/** Notes the wish on the set, beside the wishes for its other templates. */
export function askInWish(client: Client, set: StatefulSet, asked: Wish): Promise<void> {
  return editWish(client, set, (now) => new Map([...(readWish(now) ?? []), ...asked]));
}

/** Takes back every wish, also one that cannot be read. */
export function cancelWish(client: Client, set: StatefulSet): Promise<void> {
  return editWish(client, set, () => new Map());
}

/** The first attempt goes by the set at hand; after that somebody has changed it, and it is read again. */
async function editWish(client: Client, set: StatefulSet, edit: (now: StatefulSet) => Wish): Promise<void> {
  let known: StatefulSet | undefined = set;
  await againOnConflict(async () => {
    const now = known ?? (await client.get(STATEFUL_SETS, refOf(set)));
    known = undefined;
    const wish = edit(now);
    const text = wish.size === 0 ? null : formatWish(wish);
    const body = withPrecondition({ metadata: { annotations: { [WISH_ANNOTATION]: text } } }, now);
    await client.patch(STATEFUL_SETS, refOf(now), { type: "merge", body });
  });
}
