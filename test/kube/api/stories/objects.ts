/** Objects from their beginning to their end. */
import { type Stage, story } from "../story.ts";

const map = (name: string, fields: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { a: "1" },
  ...fields,
});
const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;

export const OBJECTS = [
  story("a life", async (stage) => {
    const path = maps(stage);
    const { tell } = stage;
    await tell("create", { method: "POST", path, body: map("one") });
    await tell("create again", { method: "POST", path, body: map("one") });
    const { body } = await tell("get", { path: `${path}/one` });
    await tell("put", { method: "PUT", path: `${path}/one`, body: { ...(body as object), data: { a: "2" } } });
    await tell("put, stale", { method: "PUT", path: `${path}/one`, body: { ...(body as object), data: { a: "3" } } });
    await tell("put without a version", { method: "PUT", path: `${path}/one`, body: map("one", { data: { a: "4" } }) });
    await tell("put under another name", { method: "PUT", path: `${path}/one`, body: map("two") });
    await tell("put what is not there", { method: "PUT", path: `${path}/none`, body: map("none") });
    await tell("list", { path });
    await tell("delete", { method: "DELETE", path: `${path}/one` });
    await tell("get what is gone", { path: `${path}/one` });
    await tell("delete what is gone", { method: "DELETE", path: `${path}/one` });
  }),
  story("names", async (stage) => {
    const path = maps(stage);
    const { tell } = stage;
    for (const name of ["Upper", "under_score", "-dash", "a".repeat(254), "dots.are.fine", ""]) {
      await tell(`named ${name.slice(0, 10)}`, { method: "POST", path, body: map(name) });
    }
    await tell("by chance", { method: "POST", path, body: { metadata: { generateName: "gen-" } } });
    await tell("of the client's own", {
      method: "POST",
      path,
      body: { metadata: { name: "own", generateName: "gen-" } },
    });
    await tell("of the client's own, and taken", {
      method: "POST",
      path,
      body: { metadata: { name: "own", generateName: "gen-" } },
    });
    await tell("in another namespace", { method: "POST", path, body: { metadata: { name: "x", namespace: "other" } } });
    await tell("with a version", { method: "POST", path, body: { metadata: { name: "x", resourceVersion: "5" } } });
    await tell("with a label that cannot be", {
      method: "POST",
      path,
      body: { metadata: { name: "x", labels: { "a b": "c" } } },
    });
    await tell("with a value that cannot be", {
      method: "POST",
      path,
      body: { metadata: { name: "x", labels: { ok: "not ok!" }, annotations: { "a b": "" } } },
    });
    await tell("with finalizers", { method: "POST", path, body: { metadata: { name: "y", finalizers: ["bad one"] } } });
    await tell("with an owner that is none", {
      method: "POST",
      path,
      body: { metadata: { name: "y", ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "", uid: "" }] } },
    });
  }),
  story("patches", async (stage) => {
    const path = `${maps(stage)}/one`;
    const { tell } = stage;
    await tell("create", { method: "POST", path: maps(stage), body: map("one") });
    await tell("merge", { method: "PATCH", path, type: "merge", body: { data: { b: "2", a: null } } });
    await tell("json", { method: "PATCH", path, type: "json", body: [{ op: "add", path: "/data/c", value: "3" }] });
    await tell("json that fails", { method: "PATCH", path, type: "json", body: [{ op: "remove", path: "/data/x" }] });
    await tell("strategic", { method: "PATCH", path, type: "strategic", body: { metadata: { labels: { x: "y" } } } });
    await tell("nothing", { method: "PATCH", path, type: "merge", body: {} });
    await tell("of what is not there", { method: "PATCH", path: `${maps(stage)}/no`, type: "merge", body: {} });
    await tell("in no form", { method: "PATCH", path, type: "text/plain", body: "x" });
    await tell("as JSON", { method: "PATCH", path, type: "application/json", body: {} });
    await tell("another name", { method: "PATCH", path, type: "merge", body: { metadata: { name: "two" } } });
    await tell("a stale version", {
      method: "PATCH",
      path,
      type: "merge",
      body: { metadata: { resourceVersion: "1" } },
    });
    await tell("a wrong type", { method: "PATCH", path, type: "merge", body: { data: { a: 5 } } });
    await tell("an unknown field", { method: "PATCH", path, type: "merge", body: { surprise: 1 } });
    await tell("an unknown field, strictly", {
      method: "PATCH",
      path: `${path}?fieldValidation=Strict`,
      type: "merge",
      body: { surprise: 1 },
    });
    await tell("no JSON", { method: "PATCH", path, type: "merge", body: "{" });
  }),
  story("server-side apply", async (stage) => {
    const path = `${maps(stage)}/one`;
    const { tell } = stage;
    const apply = (manager: string, body: object, more = "") =>
      ({ method: "PATCH", path: `${path}?fieldManager=${manager}${more}`, type: "apply", body }) as const;
    await tell("without a manager", { method: "PATCH", path, type: "apply", body: map("one") });
    await tell("creates", apply("one", map("one")));
    await tell("again", apply("one", map("one")));
    await tell("another manager", apply("two", map("one", { data: { b: "2" } })));
    await tell("a conflict", apply("two", map("one", { data: { a: "2" } })));
    await tell("by force", apply("two", map("one", { data: { a: "2" } }), "&force=true"));
    await tell("leaving out", apply("two", map("one", { data: {} })));
    await tell("with managedFields", apply("two", map("one", { metadata: { name: "one", managedFields: [{}] } })));
    await tell("an unknown field", apply("two", map("one", { surprise: 1 })));
    await tell("without a name", apply("two", map("one", { metadata: {} })));
    await tell("another name", apply("two", map("two")));
    await tell("another namespace", apply("two", map("one", { metadata: { name: "one", namespace: "other" } })));
    const fresh = `${maps(stage)}/fresh?fieldManager=one`;
    await tell("new, without a name", { method: "PATCH", path: fresh, type: "apply", body: map("", { metadata: {} }) });
    await tell("new, another name", { method: "PATCH", path: fresh, type: "apply", body: map("other") });
    await tell("new, with a uid", {
      method: "PATCH",
      path: fresh,
      type: "apply",
      body: map("fresh", { metadata: { name: "fresh", uid: "0b5f0a5c-0000-4000-8000-000000000000" } }),
    });
    await tell("force without apply", { method: "PATCH", path: `${path}?force=true`, type: "merge", body: {} });
    await tell("of another kind", apply("two", { apiVersion: "v1", kind: "Secret", metadata: { name: "one" } }));
  }),
  story("dry runs", async (stage) => {
    const path = maps(stage);
    const { tell } = stage;
    await tell("create", { method: "POST", path: `${path}?dryRun=All`, body: map("one") });
    await tell("is not there", { path: `${path}/one` });
    await tell("some", { method: "POST", path: `${path}?dryRun=Some`, body: map("one") });
    await stage.quietly({ method: "POST", path, body: map("one") });
    await tell("create what is there", { method: "POST", path: `${path}?dryRun=All`, body: map("one") });
    await tell("patch", { method: "PATCH", path: `${path}/one?dryRun=All`, type: "merge", body: { data: { z: "9" } } });
    await tell("delete", { method: "DELETE", path: `${path}/one?dryRun=All` });
    await tell("is as it was", { path: `${path}/one` });
  }),
  story("options that make no sense", async (stage) => {
    const path = maps(stage);
    const { tell } = stage;
    await tell("a long manager", { method: "POST", path: `${path}?fieldManager=${"m".repeat(129)}`, body: map("a") });
    await tell("an unprintable one", { method: "POST", path: `${path}?fieldManager=a%07b`, body: map("b") });
    await tell("a validation", { method: "POST", path: `${path}?fieldValidation=Perhaps`, body: map("c") });
    await tell("a policy", { method: "DELETE", path: `${path}/a?propagationPolicy=Sometimes` });
    await tell("a policy in the body", { method: "DELETE", path: `${path}/a`, body: { propagationPolicy: "Never" } });
    await tell("both ways to orphan", {
      method: "DELETE",
      path: `${path}/a`,
      body: { propagationPolicy: "Orphan", orphanDependents: true },
    });
  }),
];
