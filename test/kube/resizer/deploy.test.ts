/** The manifests that we ship: a real API server takes them, and the rights are those of csi-resizer, and none besides. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { startControlPlane } from "../control-plane.ts";
import { createNamespace } from "../fixtures.ts";

const FOLDER = join(import.meta.dirname, "../../../deploy/resizer");

interface Rules {
  readonly kind: string;
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

async function rightsIn(file: string): Promise<Record<string, string>> {
  const documents = parseAllDocuments(await readFile(join(FOLDER, file), "utf8")).map((each) => each.toJS() as Rules);
  return Object.fromEntries(
    documents.flatMap(({ kind, rules = [] }) =>
      rules.map(({ resources, verbs }) => [`${kind} ${resources.join(",")}`, verbs.join(",")]),
    ),
  );
}

test("the rights are those of csi-resizer, and secrets are apart", async () => {
  expect(await rightsIn("rbac.yaml")).toEqual({
    "ClusterRole persistentvolumes": "get,list,watch,patch",
    "ClusterRole persistentvolumeclaims": "get,list,watch",
    "ClusterRole persistentvolumeclaims/status": "patch",
    "ClusterRole pods": "get,list,watch",
    "ClusterRole events": "list,watch,create,update,patch",
    "ClusterRole volumeattributesclasses": "get,list,watch",
    "Role leases": "get,watch,list,delete,update,create",
  });
  expect(await rightsIn("rbac-secrets.yaml")).toEqual({ "ClusterRole secrets": "get" });
});

test("the API server takes the manifests as they are", async () => {
  const plane = await startControlPlane({ controllers: [] });
  try {
    await createNamespace(plane, "csi-example");
    const files = ["rbac.yaml", "rbac-secrets.yaml", "deployment.yaml"].flatMap((file) => ["-f", join(FOLDER, file)]);
    const { stderr, stdout } = await plane.tryKubectl([
      "apply",
      "--namespace=csi-example",
      "--validate=strict",
      "--dry-run=server",
      ...files,
    ]);
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n")).toHaveLength(8);
  } finally {
    await plane.stop();
  }
});
