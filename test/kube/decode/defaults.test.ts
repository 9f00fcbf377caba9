/** Each object as a real server stores it, beside the same object as ours would. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareForCreate } from "../../../src/cluster/api/defaults/creation.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { SAMPLES, type Sample } from "./objects.ts";

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
});
afterAll(() => plane?.stop());

type Tree = Record<string, unknown>;

/** Metadata that each creation sets anew. */
const OWN = ["uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "namespace", "selfLink"];

function withoutOwn(object: object): Tree {
  const copy = structuredClone(object) as Tree & { metadata: Tree };
  for (const name of OWN) delete copy.metadata[name];
  return copy;
}

/** Takes the value at a path out of the tree, and gives it back. */
function remove(tree: Tree, path: string): unknown {
  const names = path.split(".");
  const last = names.pop()!;
  const parent = names.reduce<Tree | undefined>((at, name) => at?.[name] as Tree | undefined, tree);
  const value = parent?.[last];
  delete parent?.[last];
  return value;
}

test.each(SAMPLES)("$name", async ({ path, object, addedElsewhere = {} }: Sample) => {
  const real = withoutOwn(await plane.api.create<JsonObject>(`${path}?dryRun=All`, object));
  const ours = withoutOwn(canonicalObject(prepareForCreate(withDefaults(object))));
  for (const [added, reason] of Object.entries(addedElsewhere)) {
    expect(remove(real, added), `${added} is no longer added (${reason})`).not.toEqual(remove(ours, added));
  }
  expect(ours).toEqual(real);
});
