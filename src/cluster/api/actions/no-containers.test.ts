import { describe, expect, test } from "vitest";
import { newObjects, person, put } from "../auth/fixtures.ts";
import { NODE, POD, SERVICE } from "../auth/stored-kinds.ts";
import type { ApiContext, Target } from "../handlers/context.ts";
import type { Action } from "../handlers/dispatch.ts";
import type { Kind } from "../kinds/kind.ts";
import type { Printer } from "../table/printer.ts";
import { noContainers, nothingBehind } from "./no-containers.ts";

async function refusal(action: Action, kind: Kind, name: string, subresource: string): Promise<unknown> {
  const objects = newObjects();
  await put(objects, POD, { name: "waiting", namespace: "ns" }, { spec: {} });
  await put(objects, POD, { name: "running", namespace: "ns" }, { spec: { nodeName: "node" } });
  await put(objects, SERVICE, { name: "web", namespace: "ns" });
  await put(objects, NODE, { name: "node" });
  const target: Target = {
    resource: { kind, printer: {} as Printer },
    namespace: kind.namespaced ? "ns" : undefined,
    name,
    subresource,
  };
  const caller = { user: person("ann"), userAgent: "", query: new URLSearchParams(), warn: () => undefined };
  const body = { bytes: Buffer.alloc(0), contentType: undefined };
  return action({ objects } as ApiContext, target, caller, body).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(["attach", "exec", "log", "portforward"])("%s of a pod", (subresource) => {
  test.each([
    ["none", 404, 'pods "none" not found'],
    ["waiting", 400, "pod waiting does not have a host assigned"],
    ["running", 501, `no container runs in this cluster, so there is no ${subresource} of pod "running"`],
  ])("%s", async (name, code, message) => {
    expect(await refusal(noContainers, POD, name, subresource)).toMatchObject({ code, message });
  });
});

test.each([
  [SERVICE, "web", 'service "web"'],
  [SERVICE, "web:80", 'service "web"'],
  [SERVICE, "https:web:443", 'service "web"'],
  [POD, "running:8080", 'pod "running"'],
  [NODE, "node", 'node "node"'],
] as const)("the way through %#", async (kind, name, shown) => {
  expect(await refusal(nothingBehind, kind, name, "proxy")).toMatchObject({
    code: 501,
    reason: "NotImplemented",
    message: `no container runs in this cluster, so nothing listens behind ${shown}`,
  });
});

test("there is no way through what is not there", async () => {
  expect(await refusal(nothingBehind, SERVICE, "none:80", "proxy")).toMatchObject({
    code: 404,
    message: 'services "none" not found',
  });
});
