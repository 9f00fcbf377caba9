/** Each object as a real server stores it, beside the same object as ours would. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { storageClasses } from "../../../src/admission/storage-classes.ts";
import { prepareForCreate } from "../../../src/cluster/api/defaults/creation.ts";
import { withDefaults } from "../../../src/cluster/api/defaults/defaults.ts";
import { strategyOf } from "../../../src/cluster/api/handlers/strategies.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { BUILT_IN } from "../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../../../src/cluster/api/kinds/kind.ts";
import { canonicalObject } from "../../../src/cluster/api/protobuf/canonical.ts";
import { validateCreate, validateUpdate } from "../../../src/cluster/api/validation/validate.ts";
import { DEFAULT_GATES } from "../../../src/core/gates.ts";
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

test.each(SAMPLES)("what the server takes, we take: $name", ({ object, path }: Sample) => {
  const kind = BUILT_IN.find((each) => each.kind === object["kind"] && groupVersionOf(each) === object["apiVersion"])!;
  const metadata = {
    ...(object["metadata"] as JsonObject),
    ...(path.includes("/namespaces/") && { namespace: "default" }),
  };
  const defaulted = canonicalObject(prepareForCreate(withDefaults({ ...object, metadata })));
  // A Job gets its selector when it is made.
  const around = { gates: DEFAULT_GATES, now: 0, user: { name: "somebody", uid: "", groups: [], extra: {} } };
  const complete = strategyOf(kind).prepareCreate?.(defaulted, around) ?? defaulted;
  expect(validateCreate(kind, complete)).toEqual([]);
  const stored = { ...complete, metadata: { ...metadata, resourceVersion: "1" } };
  expect(validateUpdate(kind, stored, stored, { gates: DEFAULT_GATES, classes: storageClasses([]) })).toEqual([]);
});

test.each(SAMPLES)(
  "what the server fills in, we fill in: $name",
  async ({ path, object, addedElsewhere = {} }: Sample) => {
    const real = withoutOwn(await plane.api.create<JsonObject>(`${path}?dryRun=All`, object));
    const ours = withoutOwn(canonicalObject(prepareForCreate(withDefaults(object))));
    for (const [added, reason] of Object.entries(addedElsewhere)) {
      expect(remove(real, added), `${added} is no longer added (${reason})`).not.toEqual(remove(ours, added));
    }
    expect(ours).toEqual(real);
  },
);
