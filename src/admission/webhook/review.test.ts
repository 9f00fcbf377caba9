import { describe, expect, test } from "vitest";
import { FIELD_MANAGER, RECREATE_MANAGER, WISH_ANNOTATION } from "../../core/names.ts";
import { aClass } from "../fixtures.ts";
import { storageClasses } from "../storage-classes.ts";
import { forbidden } from "../verdict.ts";
import { type AdmissionRequest, type Answer, mutate, validate, validateResource } from "./review.ts";

const classes = storageClasses([aClass("fast"), aClass("rigid", { allowVolumeExpansion: false })]);

/** `data` of this size and class, with these annotations. */
function aSet(storage: string, annotations?: Record<string, string>, storageClassName = "fast"): object {
  return {
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "prod", ...(annotations && { annotations }) },
    spec: {
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { storageClassName, resources: { requests: { storage } } } },
      ],
    },
  };
}

function update(oldObject: unknown, object: unknown, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const kind = { group: "apps", kind: "StatefulSet" };
  return { uid: "u", operation: "UPDATE", kind, object, oldObject, options: null, ...more };
}

function patchOf({ response }: Answer): unknown {
  return response.patch === undefined ? undefined : JSON.parse(Buffer.from(response.patch, "base64").toString());
}

describe("a bigger size", () => {
  const stored = aSet("10Gi");

  test("is taken back out of the template, written down as a wish, and said in a warning", () => {
    const answer = mutate(update(stored, aSet("20Gi")), classes);
    expect(answer).toMatchObject({ outcome: "taken", response: { uid: "u", allowed: true, patchType: "JSONPatch" } });
    expect(patchOf(answer)).toEqual([
      {
        op: "replace",
        path: "/spec/volumeClaimTemplates",
        value: [
          {
            metadata: { name: "data" },
            spec: { storageClassName: "fast", resources: { requests: { storage: "10Gi" } } },
          },
        ],
      },
      { op: "add", path: "/metadata/annotations", value: {} },
      { op: "add", path: "/metadata/annotations/outgrow.dev~1claims", value: "data=20Gi" },
    ]);
    expect(answer.response.warnings).toEqual(["sts/db: data grows to 20Gi by outgrow; the template follows"]);
  });

  test("that is wished already is taken back without a word", () => {
    const wish = { [WISH_ANNOTATION]: "data=20Gi" };
    const answer = mutate(update(aSet("10Gi", wish), aSet("20Gi", wish)), classes);
    expect(patchOf(answer)).toEqual([expect.objectContaining({ path: "/spec/volumeClaimTemplates" })]);
    expect(answer.response.warnings).toEqual([]);
  });

  test("of a class that does not allow expansion is refused at once, and nothing is promised", () => {
    const { response } = mutate(update(aSet("10Gi", {}, "rigid"), aSet("20Gi", {}, "rigid")), classes);
    expect(response).toEqual({
      uid: "u",
      allowed: false,
      status: {
        code: 403,
        reason: "Forbidden",
        message:
          'spec.volumeClaimTemplates[0].spec.resources.requests.storage: Forbidden: storage class "rigid" of template "data" does not allow expansion; set allowVolumeExpansion: true on it',
      },
    });
  });

  test("is refused for no class as long as the classes are not known", () => {
    const request = update(aSet("10Gi", {}, "rigid"), aSet("20Gi", {}, "rigid"));
    expect(mutate(request, undefined).outcome).toBe("taken");
  });
});

test("a smaller size goes back from a wish, and says so", () => {
  const wish = { [WISH_ANNOTATION]: "data=20Gi" };
  const { response } = mutate(update(aSet("10Gi", wish), aSet("5Gi", wish)), classes);
  expect(response.warnings).toEqual(["sts/db: data goes back to 5Gi by outgrow; the template follows"]);
});

test("a smaller size without a wish is refused", () => {
  const { response } = mutate(update(aSet("10Gi"), aSet("5Gi")), classes);
  expect(response.status?.message).toMatch(/volumes do not shrink to 5Gi; put 10Gi back/);
});

test("a bad annotation is refused, whoever wrote it", () => {
  const { response } = validate(update(aSet("10Gi"), aSet("10Gi", { [WISH_ANNOTATION]: "data=20GB" })), classes);
  expect(response.status).toMatchObject({ code: 403, message: expect.stringContaining('"20GB" is not a size') });
});

const foreign: readonly (readonly [string, AdmissionRequest])[] = [
  ["an update of something else", update(aSet("10Gi"), aSet("20Gi"), { kind: { group: "", kind: "ConfigMap" } })],
  ["a creation", update(undefined, aSet("20Gi"), { operation: "CREATE" })],
  ["a subresource", update(aSet("10Gi"), aSet("20Gi"), { subResource: "scale" })],
  ["our own controller", update(aSet("10Gi"), aSet("20Gi"), { options: { fieldManager: FIELD_MANAGER } })],
  ["a re-creation of ours", update(aSet("10Gi"), aSet("20Gi"), { options: { fieldManager: RECREATE_MANAGER } })],
  ["an update that leaves sizes alone", update(aSet("10Gi"), aSet("10Gi", { note: "x" }))],
];

describe.each(foreign)("%s passes", (_, request) => {
  test.each([mutate, validate])("%o", (rule) => {
    expect(rule(request, classes)).toEqual({ outcome: "passed", response: { uid: "u", allowed: true } });
  });
});

test("an object that no rule can read is let pass, and the problem told", () => {
  const answer = mutate(update({ metadata: {} }, { metadata: {} }), classes);
  expect(answer).toMatchObject({
    outcome: "failed",
    response: { uid: "u", allowed: true },
    problem: expect.any(String),
  });
});

describe("a custom resource", () => {
  const kind = { group: "moco.cybozu.com", kind: "MySQLCluster" };
  const edit = (more: Partial<AdmissionRequest> = {}) => update({}, {}, { kind, namespace: "prod", ...more });
  const no = async () => [forbidden("spec.size", "it is too small")];

  test("is refused for what its rule says, in one line", async () => {
    expect(await validateResource(edit(), classes, no)).toMatchObject({
      outcome: "refused",
      response: { allowed: false, status: { code: 403, message: "spec.size: Forbidden: it is too small" } },
    });
  });

  test("passes when nothing is said, for its status, and when it is made", async () => {
    const passed = { outcome: "passed", response: { allowed: true } };
    expect(await validateResource(edit(), classes, async () => [])).toMatchObject(passed);
    expect(await validateResource(edit({ subResource: "status" }), classes, no)).toMatchObject(passed);
    expect(await validateResource(edit({ operation: "CREATE" }), classes, no)).toMatchObject(passed);
  });

  test("goes on when the rule cannot tell; while classes are not known, each allows expansion", async () => {
    const lost = () => Promise.reject(new Error("the API server is away"));
    expect(await validateResource(edit(), undefined, lost)).toMatchObject({
      outcome: "failed",
      problem: "the API server is away",
      response: { allowed: true },
    });
    const asked: unknown[] = [];
    await validateResource(edit(), undefined, async (_, known) => {
      asked.push(known.named("rigid")?.allowVolumeExpansion);
      return [];
    });
    expect(asked).toEqual([true]);
  });
});
