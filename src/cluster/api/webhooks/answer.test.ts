import { describe, expect, test } from "vitest";
import { readAnswer } from "./answer.ts";

const asked = { uid: "u", version: "v1", mutating: true } as const;
const review = (response: unknown, envelope: object = {}) =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", ...envelope, response });
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("an answer", () => {
  test("tells whether the request is allowed, and how the object is to change", () => {
    const patch = [{ op: "remove", path: "/data" }];
    const response = { uid: "u", allowed: true, patchType: "JSONPatch", patch: base64(JSON.stringify(patch)) };
    expect(readAnswer(review(response), asked)).toEqual({ allowed: true, result: undefined, warnings: [], patch });
  });

  test("that says nothing denies", () => {
    expect(readAnswer(review({ uid: "u" }), asked).allowed).toBe(false);
  });

  test("that denies may have any patch", () => {
    const response = { uid: "u", allowed: false, patchType: "JSONPatch", patch: base64("{{") };
    expect(readAnswer(review(response), asked).patch).toBeUndefined();
  });

  test.each([
    ["is no JSON", "<html>", /couldn't get version\/kind; json parse error: /],
    ["is no object", "[]", /cannot unmarshal/],
    ["has no response", review(undefined), /webhook response was absent$/],
    ["is for another question", review({ uid: "x", allowed: true }), /expected response\.uid="u", got "x"$/],
    ["is of no kind", review({ uid: "u" }, { kind: "" }), /got admission\.k8s\.io\/v1, Kind=$/],
    ["is in another version", review({ uid: "u" }, { apiVersion: "admission.k8s.io/v1beta1" }), /unknown conversion$/],
    ["allows in words", review({ uid: "u", allowed: "yes" }), /response\.allowed of type bool$/],
    ["warns in numbers", review({ uid: "u", warnings: [1] }), /response\.warnings of type \[\]string$/],
    [
      "patches without type",
      review({ uid: "u", allowed: true, patch: "W10=" }),
      /response\.patch but not response\.patchType$/,
    ],
    ["patches in no base64", review({ uid: "u", allowed: true, patch: "?", patchType: "JSONPatch" }), /illegal base64/],
    [
      "patches with an object",
      review({ uid: "u", allowed: true, patch: "e30=", patchType: "JSONPatch" }),
      /not a list$/,
    ],
  ])("that %s is none", (_, body, message) => {
    expect(() => readAnswer(body, asked)).toThrow(message);
  });

  test("of a webhook that only looks has no patch", () => {
    const response = { uid: "u", allowed: true, patchType: "JSONPatch", patch: "W10=" };
    expect(() => readAnswer(review(response), { ...asked, mutating: false })).toThrow(
      /may not return response\.patch$/,
    );
  });
});
