/** The real kubectl, with nothing to go by but our documents. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createCatalog } from "../../../src/cluster/api/catalog/catalog.ts";
import type { CustomResource } from "../../../src/cluster/api/catalog/resource.ts";
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { kindsOf } from "../../../src/cluster/api/kinds/kind.ts";
import { builtInPrinter } from "../../../src/cluster/api/table/built-in-printers.ts";
import { findAssets } from "../assets.ts";
import { writeKubeconfig } from "../credentials.ts";
import { runKubectl } from "../kubectl.ts";
import { startTinyServer, type TinyServer } from "./tiny-server.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      description: "What is wanted.",
      required: ["size"],
      properties: { size: { type: "string", description: "How large.", enum: ["small", "large"] } },
    },
  },
};

let server: TinyServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outgrow-openapi-"));
  const catalog = createCatalog();
  catalog.define(
    kindsOf("example.com/v1", [{ kind: "Db", plural: "dbs" }]).map((kind) => ({
      kind,
      printer: builtInPrinter(kind),
      custom: { openApiSchema: SCHEMA } as unknown as CustomResource,
    })),
  );
  server = await startTinyServer(catalog);
  await writeKubeconfig(join(folder, "config"), server, "token");
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.sent.splice(0);
  server.asked.clear();
});

async function kubectl(args: readonly string[], input?: JsonObject): Promise<string> {
  const kubeconfig = join(folder, "config");
  const { code, stdout, stderr } = await runKubectl(join(findAssets(), "kubectl"), folder, args, {
    kubeconfig,
    ...(input === undefined ? {} : { input: stringify(input) }),
  });
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
  expect(stderr).toBe("");
  return stdout;
}

/** Each line without what is not there here. */
const lines = (text: string) => text.split("\n").map((line) => line.trim());

describe("kubectl explain", () => {
  test("shows the templates of claims", async () => {
    const shown = lines(await kubectl(["explain", "sts.spec.volumeClaimTemplates"]));
    expect(shown.slice(0, 5)).toEqual([
      "GROUP:      apps",
      "KIND:       StatefulSet",
      "VERSION:    v1",
      "",
      "FIELD: volumeClaimTemplates <[]PersistentVolumeClaim>",
    ]);
    expect(shown).toEqual(expect.arrayContaining(["metadata\t<ObjectMeta>", "spec\t<PersistentVolumeClaimSpec>"]));
  });

  test("goes down to a size, and shows words", async () => {
    const requests = await kubectl(["explain", "pvc.spec.resources.requests"]);
    expect(requests).toContain("FIELD: requests <map[string]Quantity>");
    const mode = await kubectl(["explain", "pvc.spec.volumeMode"]);
    expect(lines(mode)).toEqual(expect.arrayContaining(["FIELD: volumeMode <string>", "ENUM:", "Block", "Filesystem"]));
  });

  test.each(["pods", "statefulsets", "storageclasses", "customresourcedefinitions", "dbs"])(
    "--recursive shows all of %s",
    async (resource) => {
      const shown = await kubectl(["explain", "--recursive", resource]);
      expect(shown).toContain("metadata\t<ObjectMeta>");
      expect(shown).not.toContain("<nil>");
    },
  );

  test("shows a custom resource with its author's words", async () => {
    const shown = lines(await kubectl(["explain", "dbs.spec"]));
    expect(shown).toEqual(expect.arrayContaining(["What is wanted.", "size\t<string> -required-", "How large."]));
  });
});

describe("kubectl apply", () => {
  const metadata = { name: "x", namespace: "default" };
  const deployment = (volume: JsonObject, strategy: JsonObject): JsonObject => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      strategy,
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i" }], volumes: [{ name: "v", ...volume }] },
      },
    },
  });

  test("leaves the check of fields to the server, and patches built-in kinds strategically, with the keys to retain", async () => {
    await kubectl(["apply", "-f", "-"], deployment({ emptyDir: {} }, { type: "RollingUpdate" }));
    await kubectl(["apply", "-f", "-"], deployment({ secret: { secretName: "s" } }, { type: "Recreate" }));
    expect([...server.asked]).not.toContain("/openapi/v2");
    const [created, patched] = server.sent;
    expect(created?.url).toContain("fieldValidation=Strict");
    expect(patched?.contentType).toBe("application/strategic-merge-patch+json");
    expect(patched?.body["spec"]).toMatchObject({
      strategy: { $retainKeys: ["type"], type: "Recreate" },
      template: { spec: { volumes: [{ $retainKeys: ["name", "secret"], name: "v", secret: { secretName: "s" } }] } },
    });
  });

  test("patches custom resources by merging, and takes it that there is no OpenAPI v2 to ask first", async () => {
    const db = (size: string) => ({ apiVersion: "example.com/v1", kind: "Db", metadata, spec: { size } });
    await kubectl(["apply", "-f", "-"], db("small"));
    await kubectl(["apply", "-f", "-"], db("large"));
    expect([...server.asked]).toContain("/openapi/v2");
    expect(server.sent.map(({ method, contentType }) => [method, contentType])).toEqual([
      ["POST", "application/json"],
      ["PATCH", "application/merge-patch+json"],
    ]);
  });

  test("--server-side sends what was written", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
    await kubectl(["apply", "--server-side", "-f", "-"], map);
    expect(server.sent[0]).toMatchObject({ method: "PATCH", contentType: "application/apply-patch+yaml" });
    expect(server.sent[0]?.url).toContain("fieldValidation=Strict");
  });
});

describe("kubectl", () => {
  test("shows the version, and that it is not Kubernetes' own", async () => {
    expect(await kubectl(["version"])).toContain("Server Version: v1.36.3+outgrow");
  });

  test("lists the resources", async () => {
    const shown = await kubectl(["api-resources", "--no-headers"]);
    expect(shown).toMatch(/^statefulsets\s+sts\s+apps\/v1\s+true\s+StatefulSet$/m);
    expect(shown).toMatch(/^dbs\s+example.com\/v1\s+true\s+Db$/m);
  });
});
