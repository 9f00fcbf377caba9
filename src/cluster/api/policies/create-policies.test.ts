/** test/kube/policy-engine asks a real kube-apiserver the same, and much more. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdmissionRequest } from "../admission/plugin.ts";
import { reinvoking } from "../admission/reinvocation.ts";
import type { Json, JsonObject } from "../json.ts";
import { StatusError } from "../status-error.ts";
import { requestFor } from "../webhooks/testing/hook-bench.ts";
import { openPolicyBench, type PolicyBench } from "./testing/policy-bench.ts";
import { bindingOf, MAPS, mapOf, patching, policyOf, refusing } from "./testing/policy-objects.ts";

let bench: PolicyBench;
beforeEach(async () => {
  bench = openPolicyBench();
  await bench.put(...["default", "prod"].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })));
});
afterEach(() => bench.close());

const create = (object: JsonObject, more: Partial<AdmissionRequest> = {}) =>
  bench.admit(requestFor(bench.catalog, "CREATE", object, more));
async function refusal(act: Promise<unknown>): Promise<StatusError> {
  const error = await act.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw error;
  return error;
}
const dataOf = (object: JsonObject | undefined): Json => object?.["data"] ?? null;

describe("policies", () => {
  test("are not there at first: nothing is awaited, and everything stays as it is", () => {
    const request = { ...requestFor(bench.catalog, "CREATE", mapOf("m")), object: mapOf("m") };
    expect(bench.policies.validating.validate?.(request)).toBeUndefined();
    expect(bench.policies.mutating.begin(request)).toBeUndefined();
    expect(reinvoking([], [bench.policies.mutating])(request)).toBe(request.object);
  });

  test("count from the write on, as they are now, and no longer than they are bound", async () => {
    const [policy, binding] = refusing("p", "no") as [JsonObject, JsonObject];
    await bench.put(policy);
    await create(mapOf("m"));
    await bench.put(binding);
    expect((await refusal(create(mapOf("m")))).message).toContain("denied request: no");
    await bench.put(...refusing("p", "still no").slice(0, 1));
    expect((await refusal(create(mapOf("m")))).message).toContain("denied request: still no");
    await bench.remove(binding);
    await create(mapOf("m"));
  });

  test("are asked by name, and the first that denies has the word", async () => {
    await bench.put(...refusing("b", "from b"), ...refusing("a", "from a"));
    const { code, reason, message, causes, about } = await refusal(create(mapOf("m")));
    const why = "ValidatingAdmissionPolicy 'a' with binding 'a' denied request: from a";
    expect(message).toBe(`configmaps "m" is forbidden: ${why}`);
    expect({ code, reason, causes, about }).toEqual({
      code: 422,
      reason: "Invalid",
      causes: [{ message: why }],
      about: { name: "m", group: "", kind: "configmaps" },
    });
  });

  test("say nothing about policies, whatever they match, and about all else they match", async () => {
    const any = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] };
    await bench.put(...refusing("p", "never", { matchConstraints: { resourceRules: [any] } }));
    for (const object of refusing("q", "x")) await create(object);
    const webhooks = { apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration" };
    expect((await refusal(create({ ...webhooks, metadata: { name: "w" } }))).message).toContain("never");
  });

  test("only warn where the binding says so", async () => {
    await bench.put(...refusing("p", "better not", {}, { validationActions: ["Warn", "Audit"] }));
    const warnings: string[] = [];
    await create(mapOf("m"), { warn: (text) => void warnings.push(text) });
    expect(warnings).toEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': better not"]);
  });

  test.each([
    ["Fail", 422],
    ["Ignore", undefined],
  ])("that cannot be evaluated deny when their failurePolicy is %s", async (failurePolicy, code) => {
    const validations = [{ expression: "object.data.missing == 'x'" }];
    await bench.put(...refusing("p", "", { validations, failurePolicy }));
    const outcome = await create(mapOf("m")).then(
      () => undefined,
      (error: StatusError) => error,
    );
    expect(outcome?.code).toBe(code);
    if (outcome !== undefined) {
      expect(outcome.message).toContain(
        "expression 'object.data.missing == 'x'' resulted in error: no such key: missing",
      );
    }
  });

  test("ask the server's own authorizer, for who makes the request", async () => {
    const validations = [{ expression: "authorizer.group('').resource('secrets').check('list').allowed()" }];
    await bench.put(...refusing("p", "", { validations }));
    await create(mapOf("m"));
    await refusal(create(mapOf("m"), { user: { name: "alice", groups: [] } }));
  });

  test("cannot keep the server busy: what costs too much is denied", async () => {
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, "v"]));
    const validations = [
      { expression: "object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != 'x')))" },
    ];
    await bench.put(...refusing("p", "", { validations }));
    const { message } = await refusal(create(mapOf("m", data)));
    expect(message).toContain("operation cancelled: actual cost limit exceeded");
  });
});

describe("a large policy", () => {
  const many = Array.from({ length: 3000 }, (_, index) => `object.data.a != 'x${index}'`);
  const large: [string, JsonObject[]][] = [
    ["validations", refusing("p", "no", { validations: many.map((expression) => ({ expression })) })],
    [
      "variables",
      refusing("p", "no", { variables: many.map((expression, index) => ({ name: `v${index}`, expression })) }),
    ],
    [
      "mutations",
      [
        policyOf("Mutating", "p", {
          reinvocationPolicy: "Never",
          mutations: many.map(() => ({ patchType: "JSONPatch", jsonPatch: { expression: "[]" } })),
        }),
        bindingOf("Mutating", "p"),
      ],
    ],
  ];
  const turnsFor = async (act: () => Promise<unknown>): Promise<number> => {
    const before = turns;
    await act().catch((error: unknown) => error);
    return turns - before;
  };
  let turns = 0;
  beforeEach(async () => {
    await bench.close();
    bench = openPolicyBench({ turn: async () => void turns++ });
    await bench.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  });

  test.each(large)("with many %s is compiled in steps, once", async (_, objects) => {
    await bench.put(...objects);
    expect(await turnsFor(() => create(mapOf("m")))).toBeGreaterThanOrEqual(3);
    expect(await turnsFor(() => create(mapOf("m")))).toBe(0);
  });

  test("is compiled once for all that come at a time, and only for what it matches", async () => {
    await bench.put(...(large[0]?.[1] ?? []));
    expect(await turnsFor(() => create({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" } }))).toBe(0);
    const alone = await turnsFor(() => create(mapOf("m")));
    await bench.put(...refusing("p", "no", { validations: many.map((expression) => ({ expression })) }).slice(0, 1));
    expect(await turnsFor(() => Promise.all([create(mapOf("m")), create(mapOf("n"))]))).toBe(alone);
  });
});

describe("params", () => {
  const limits = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConditions: [{ name: "is-no-param", expression: "!object.metadata.name.startsWith('limit')" }],
    validations: [
      { expression: "size(object.data) <= int(params.data.max)", messageExpression: "'at most ' + params.data.max" },
    ],
  };
  const bound = (paramRef: JsonObject) => [
    policyOf("Validating", "p", limits),
    bindingOf("Validating", "p", { paramRef: { parameterNotFoundAction: "Deny", ...paramRef } }),
  ];

  test("are looked up where the request is, at that very moment", async () => {
    await bench.put(...bound({ name: "limit" }), mapOf("limit", { max: "0" }), mapOf("limit", { max: "5" }, "prod"));
    expect((await refusal(create(mapOf("m")))).message).toContain("at most 0");
    await create(mapOf("m", { a: "b" }, "prod"));
    await bench.put(mapOf("limit", { max: "1" }));
    await create(mapOf("m"));
  });

  test("that are selected are all asked", async () => {
    const labelled = (name: string, max: string) => {
      const map = mapOf(name, { max });
      return { ...map, metadata: { ...(map["metadata"] as JsonObject), labels: { is: "limit" } } };
    };
    await bench.put(...bound({ selector: { matchLabels: { is: "limit" } } }));
    await bench.put(labelled("limit-1", "9"), labelled("limit-2", "0"), mapOf("limit-3", { max: "-1" }));
    expect((await refusal(create(mapOf("m")))).message).toContain("at most 0");
  });

  test.each([
    ["Deny", "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"],
    ["Allow", undefined],
  ])("that are not there: %s", async (parameterNotFoundAction, why) => {
    await bench.put(...bound({ name: "nothing", parameterNotFoundAction }));
    const outcome = await create(mapOf("m")).then(
      () => undefined,
      (error: StatusError) => error.message,
    );
    expect(outcome).toEqual(why === undefined ? undefined : expect.stringContaining(why));
  });

  test("of a kind that is not served are the policy's fault, until it is", async () => {
    await bench.put(policyOf("Validating", "p", { ...limits, paramKind: { apiVersion: "x.io/v1", kind: "Limit" } }));
    await bench.put(bindingOf("Validating", "p", { paramRef: { name: "limit", parameterNotFoundAction: "Deny" } }));
    expect((await refusal(create(mapOf("m")))).message).toBe(
      `configmaps "m" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'x.io/v1, Kind=Limit'`,
    );
  });
});

describe("a mutating policy", () => {
  const add = (key: string, value: string) => `JSONPatch{op: "add", path: "/data/${key}", value: ${value}}`;

  test("changes what is stored, and what is stored is judged", async () => {
    await bench.put(...patching("m", `[${add("size", "string(size(object.data))")}]`));
    expect(dataOf(await create(mapOf("m")))).toEqual({ a: "b", size: "1" });
    await bench.put(...refusing("v", "", { validations: [{ expression: "!has(object.data.size)" }] }));
    await refusal(create(mapOf("m")));
  });

  test("that changes nothing leaves the very object", async () => {
    await bench.put(...patching("m", `[JSONPatch{op: "replace", path: "/data/a", value: "b"}]`));
    const request = requestFor(bench.catalog, "CREATE", mapOf("m"));
    expect(await bench.admit(request)).toBe(request.object);
  });

  test.each([
    ["Never", { a: "b", b: "1" }],
    ["IfNeeded", { a: "b", b: "1", c: "1" }],
  ])("is asked again when a later one changed the object: %s", async (reinvocationPolicy, expected) => {
    const ifHas = (key: string, more: string) =>
      `"${key}" in object.data && !("${more}" in object.data) ? [${add(more, "'1'")}] : []`;
    await bench.put(...patching("1", ifHas("b", "c"), { reinvocationPolicy }), ...patching("2", ifHas("a", "b")));
    expect(dataOf(await create(mapOf("m")))).toEqual(expected);
  });

  test("is denied with all that went wrong, unless it is to be ignored", async () => {
    const bad = `[JSONPatch{op: "add", path: "/metadata/labels/x", value: "1"}]`;
    await bench.put(...patching("1", bad), ...patching("2", bad, { failurePolicy: "Ignore" }), ...patching("3", bad));
    const { code, reason, message, causes } = await refusal(create(mapOf("m")));
    const why = (name: string) =>
      `policy '${name}' with binding '${name}' denied request: JSON Patch: add operation does not apply: doc is missing path: "/metadata/labels/x": missing value`;
    expect({ code, reason, message, causes }).toEqual({
      code: 403,
      reason: "Invalid",
      message: why("1"),
      causes: [{ message: why("1") }, { message: why("3") }],
    });
  });

  test("that writes what the kind does not have is refused as a whole", async () => {
    await bench.put(...patching("m", `[JSONPatch{op: "add", path: "/spec", value: {"a": "b"}}]`));
    expect(await refusal(create(mapOf("m")))).toMatchObject({
      code: 500,
      message: 'Internal error occurred: strict decoding error: unknown field "spec"',
    });
  });

  describe("with a configuration", () => {
    const SETS = { ...MAPS, apiGroups: ["apps"], resources: ["statefulsets"] };
    const set = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "db", namespace: "default" },
      spec: {
        selector: { matchLabels: { app: "db" } },
        template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image: "i" }] } },
      },
    };
    const applying = (expression: string) => {
      const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
      return [
        policyOf("Mutating", "p", {
          mutations,
          reinvocationPolicy: "Never",
          matchConstraints: { resourceRules: [SETS] },
        }),
        bindingOf("Mutating", "p"),
      ];
    };

    test("merges lists by their keys, and fills in defaults", async () => {
      await bench.put(
        ...applying(
          "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'side', image: 's:1'}]}}}}",
        ),
      );
      const { spec } = (await create(set)) as unknown as {
        spec: { template: { spec: { containers: { name: string; imagePullPolicy: string }[] } } };
      };
      expect(spec.template.spec.containers.map(({ name, imagePullPolicy }) => [name, imagePullPolicy])).toEqual([
        ["main", "Always"],
        ["side", "IfNotPresent"],
      ]);
    });

    test.each([
      [
        "replaces nothing as a whole",
        "Object{spec: Object.spec{volumeClaimTemplates: []}}",
        "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.volumeClaimTemplates",
      ],
      [
        "has only fields that there are",
        "Object{spec: Object.spec{size: 1}}",
        "error applying patch: failed to convert patch object to typed object: .spec.size: field not declared in schema",
      ],
      [
        "names its types after their fields",
        "Object{spec: Object.wrong{replicas: 1}}",
        'type mismatch: unexpected type name "Object.wrong", expected "Object.spec", which matches field name path from root Object type',
      ],
    ])("%s", async (_, expression, why) => {
      await bench.put(...applying(expression));
      expect((await refusal(create(set))).message).toBe(`policy 'p' with binding 'p' denied request: ${why}`);
    });
  });
});
