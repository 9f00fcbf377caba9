/** All objects of somebody's cluster, as kubectl printed them. */
import type { DumpedObject } from "../../cluster/index.ts";
import { OutgrowError } from "../../core/errors.ts";
import { describePlace } from "../input/place.ts";
import { readObjects } from "../input/read-objects.ts";
import type { Source } from "../input/sources.ts";

/** Throws `INPUT_UNREADABLE` or `OBJECT_MALFORMED`, naming the document, for what cannot be read or has no name. */
export async function readDumps(sources: readonly Source[]): Promise<DumpedObject[]> {
  const objects: DumpedObject[] = [];
  const documents = await readObjects(
    sources,
    () => true,
    ({ apiVersion, kind, value, place }) => {
      const { metadata } = value as { metadata?: { name?: unknown } };
      if (typeof metadata?.name !== "string" || metadata.name === "") {
        throw new OutgrowError("OBJECT_MALFORMED", `${describePlace(place)} (${kind}): metadata.name: is missing`);
      }
      objects.push({ ...(value as DumpedObject), apiVersion, kind });
    },
  );
  if (documents > 0) return objects;
  const names = sources.map(({ name }) => name).join(", ");
  throw new OutgrowError(
    "INPUT_UNREADABLE",
    `there is no object in ${names}; give what \`kubectl get sts,pvc,pv,sc,resourcequota,svc -A -o yaml\` prints`,
  );
}
