/** Objects as operators write them: completed, refused and shown as by a real server. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Resource } from "../../../src/cluster/api/catalog/resource.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { type Table, tableFor } from "../../../src/cluster/api/table/table.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import { openTableServer, type TableServer } from "../table/server.ts";
import { waitFor } from "../wait.ts";
import { createObject, resourceOf } from "./ours.ts";
import { openServer, type Server } from "./server.ts";
import { WORLD } from "./world.ts";

type Column = NonNullable<Table["columnDefinitions"]>[number];

const claim = (storage: string | number, more: JsonObject = {}): JsonObject => ({
  metadata: { name: "mysql-data", ...more },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
const cluster = (spec: JsonObject): JsonObject => ({
  podTemplate: {
    metadata: { labels: { app: "db" } },
    spec: { containers: [{ name: "mysqld", image: "mysql:8", env: [{ name: "A" }] }] },
  },
  volumeClaimTemplates: [claim("10Gi")],
  ...spec,
});

const OBJECTS: Readonly<Record<string, readonly JsonObject[]>> = {
  MySQLCluster: [
    cluster({}),
    cluster({ replicas: 3, maxDelaySeconds: null, backupPolicyName: null, unknown: { a: 1 } }),
    cluster({ volumeClaimTemplates: [claim(1073741824, { uid: "u", labels: { a: "b" } })] }),
    cluster({ volumeClaimTemplates: [claim("ten")] }),
    cluster({ volumeClaimTemplates: [] }),
    cluster({ volumeClaimTemplates: [{ metadata: { name: "" }, spec: {} }, {}] }),
    cluster({ serverIDBase: -1, startupWaitSeconds: 2 ** 31 }),
    cluster({ restore: { sourceName: "", restorePoint: "yesterday" } }),
    {},
  ],
  Certificate: [
    { secretName: "tls", issuerRef: { name: "ca" }, dnsNames: ["a.example.com", "b"], usages: ["server auth"] },
    { secretName: "tls", issuerRef: {}, privateKey: { algorithm: "DSA", size: "big" }, usages: ["any"] },
    { secretName: "tls", issuerRef: { name: "ca" }, keystores: { pkcs12: { password: "much too long" } } },
  ],
  VolumeExpansion: [
    { statefulSetName: "db", claims: [{ template: "data", storage: "200Gi" }] },
    {
      statefulSetName: "db",
      claims: [
        { template: "data", storage: 5 },
        { template: "data", storage: "x" },
      ],
    },
    {
      statefulSetName: "D b",
      claims: [],
      rollout: { mode: "Fast", maxConcurrent: 0, canary: -1 },
      restartPods: "Always",
    },
    { statefulSetName: "db", claims: [{ template: "wal", storage: "1Gi" }], rollout: { mode: "OneByOne" } },
  ],
  ExpansionSource: [
    {
      resource: { group: "moco.cybozu.com", version: "v1beta2", kind: "MySQLCluster", plural: "mysqlclusters" },
      claimTemplatesPath: ".spec.volumeClaimTemplates",
      statefulSetName: "moco-{name}",
    },
    { resource: {}, claimTemplatesPath: "spec", statefulSetName: "name", condition: 5 },
  ],
};

let plane: ControlPlane;
let server: Server;
let tables: TableServer;
beforeAll(async () => {
  plane = await startControlPlane({ controllers: [] });
  server = openServer(plane);
  tables = openTableServer(plane);
});
afterAll(async () => {
  await server?.close();
  await tables?.close();
  await plane?.stop();
});

function pathOf({ kind: { group, version, plural, namespaced } }: Resource): string {
  return `/apis/${group}/${version}${namespaced ? "/namespaces/default" : ""}/${plural}`;
}

describe.each(WORLD)("$name", ({ name, definition }) => {
  const resource = resourceOf(definition);
  const objects = (OBJECTS[name] ?? []).map((spec, index) => ({
    apiVersion: `${resource.kind.group}/${resource.kind.version}`,
    kind: name,
    metadata: { name: `o-${index}` },
    spec,
  }));

  test("is completed, or refused, in the same way", async () => {
    await server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    await waitFor(`${name} to be served`, async () => (await server.send("GET", pathOf(resource))).code === 200);
    for (const object of objects) {
      const ours = createObject(resource, object);
      expect(ours, JSON.stringify(object.spec)).toEqual(await server.send("POST", pathOf(resource), object));
    }
  });

  test("is shown in the same columns", async () => {
    const { body, second } = await tables.table(pathOf(resource), "includeObject=Object");
    const objectsShown = body.rows.map(({ object }) => object ?? {});
    const ours = tableFor(resource.printer, objectsShown, { now: second, includeObject: "None", listMetadata: {} });
    const cells = (table: Table) => table.rows.map((row) => row.cells.map(withoutAge));
    expect(ours.columnDefinitions?.map(withoutProse)).toEqual(body.columnDefinitions?.map(withoutProse));
    expect(cells(ours)).toEqual(cells(body));
    expect(cells(body).length).toBeGreaterThan(0);
  });
});

/** Descriptions are prose that is left out; see test/kube/table. */
function withoutProse({ name, type, format, priority }: Column): Omit<Column, "description"> {
  return { name, type, format, priority };
}

/** An age differs by how long the test took. */
function withoutAge(cell: unknown): unknown {
  return typeof cell === "string" && /^\d+s$/.test(cell) ? "a moment" : cell;
}
