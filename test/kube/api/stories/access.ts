/** Who may do what: tokens of service accounts, roles, refusals, reviews. */
import { waitFor } from "../../wait.ts";
import { type Stage, story } from "../story.ts";

const accounts = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/serviceaccounts`;
const rbac = ({ ns }: Stage): string => `/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}`;

/** A token of an account that may do nothing yet. */
async function newcomer(stage: Stage, name = "newcomer"): Promise<string> {
  await stage.quietly({ method: "POST", path: accounts(stage), body: { metadata: { name } } });
  const { body } = await stage.quietly({
    method: "POST",
    path: `${accounts(stage)}/${name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  return (body as { status: { token: string } }).status.token;
}

async function allow(stage: Stage, rules: readonly object[], token: string, probe: string): Promise<void> {
  await stage.quietly({
    method: "POST",
    path: `${rbac(stage)}/roles`,
    body: { metadata: { name: "some" }, rules },
  });
  await stage.quietly({
    method: "POST",
    path: `${rbac(stage)}/rolebindings`,
    body: {
      metadata: { name: "some" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "some" },
      subjects: [{ kind: "ServiceAccount", name: "newcomer", namespace: stage.ns }],
    },
  });
  await waitFor("the role to count", async () => (await stage.quietly({ path: probe, token })).status !== 403);
}

export const ACCESS = [
  story("who may do nothing", async (stage) => {
    const token = await newcomer(stage);
    const { ns } = stage;
    const tell = (title: string, method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object) =>
      stage.tell(title, {
        method,
        path,
        token,
        ...(body === undefined ? {} : { body }),
        ...(method === "PATCH" ? { type: "merge" } : {}),
      });
    const maps = `/api/v1/namespaces/${ns}/configmaps`;
    await tell("get", "GET", `${maps}/one`);
    await tell("list", "GET", maps);
    await tell("list everywhere", "GET", "/api/v1/configmaps");
    await tell("watch", "GET", `${maps}?watch=true`);
    await tell("create", "POST", maps, { metadata: { name: "x" } });
    await tell("update", "PUT", `${maps}/x`, { metadata: { name: "x" } });
    await tell("patch", "PATCH", `${maps}/x`, {});
    await tell("delete", "DELETE", `${maps}/x`);
    await tell("delete all", "DELETE", maps);
    await tell("a subresource", "GET", `/apis/apps/v1/namespaces/${ns}/statefulsets/x/scale`);
    await tell("a status", "PATCH", `/apis/apps/v1/namespaces/${ns}/statefulsets/x/status`, {});
    await tell("a namespace", "GET", `/api/v1/namespaces/${ns}`);
    await tell("namespaces", "GET", "/api/v1/namespaces");
    await tell("a node", "GET", "/api/v1/nodes/n");
    await tell("what is not there", "GET", `/api/v1/namespaces/${ns}/nonsense`);
    await tell("of a group that is not there", "GET", `/apis/none.example.com/v1/namespaces/${ns}/things`);
    await tell("metrics", "GET", "/metrics");
    await tell("what everybody may read", "GET", "/api");
  }),
  story("who may do a little", async (stage) => {
    const token = await newcomer(stage);
    const maps = `/api/v1/namespaces/${stage.ns}/configmaps`;
    await stage.quietly({ method: "POST", path: maps, body: { metadata: { name: "one" } } });
    await stage.quietly({ method: "POST", path: maps, body: { metadata: { name: "two" } } });
    const rules = [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"], resourceNames: ["one"] },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
      { apiGroups: ["apps"], resources: ["statefulsets/scale"], verbs: ["get"] },
    ];
    await allow(stage, rules, token, `${maps}/one`);
    await stage.tell("the one", { path: `${maps}/one`, token });
    await stage.tell("another", { path: `${maps}/two`, token });
    await stage.tell("a list", { path: maps, token });
    await stage.tell("a list of the one", { path: `${maps}?fieldSelector=metadata.name%3Done`, token });
    await stage.tell("create", { method: "POST", path: maps, token, body: { metadata: { name: "three" } } });
    await stage.tell("create by apply", {
      method: "PATCH",
      path: `${maps}/four?fieldManager=x`,
      type: "apply",
      token,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "four" } },
    });
    await stage.tell("a scale", { path: `/apis/apps/v1/namespaces/${stage.ns}/statefulsets/x/scale`, token });
    await stage.tell("more than it has", {
      method: "POST",
      path: `${rbac(stage)}/roles`,
      token,
      body: { metadata: { name: "more" }, rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }] },
    });
    const review = (title: string, attributes: object) =>
      stage.tell(title, {
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        token,
        body: { spec: { resourceAttributes: { namespace: stage.ns, ...attributes } } },
      });
    await review("may it get the one?", { verb: "get", resource: "configmaps", name: "one" });
    await review("may it get another?", { verb: "get", resource: "configmaps", name: "two" });
    await review("may it delete?", { verb: "delete", resource: "configmaps" });
  }),
  story("reviews", async (stage) => {
    const token = await newcomer(stage);
    const post = (title: string, path: string, body: object, by?: string) =>
      stage.tell(title, { method: "POST", path, body, ...(by === undefined ? {} : { token: by }) });
    const authorization = "/apis/authorization.k8s.io/v1";
    await post("who am I?", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}, token);
    const user = `system:serviceaccount:${stage.ns}:newcomer`;
    const resourceAttributes = { verb: "get", resource: "pods", namespace: stage.ns };
    await post("may they?", `${authorization}/subjectaccessreviews`, { spec: { user, resourceAttributes } });
    await post("may they here?", `${authorization}/namespaces/${stage.ns}/localsubjectaccessreviews`, {
      metadata: { namespace: stage.ns },
      spec: { user, resourceAttributes },
    });
    await post("may they elsewhere?", `${authorization}/namespaces/${stage.ns}/localsubjectaccessreviews`, {
      metadata: { namespace: stage.ns },
      spec: { user, resourceAttributes: { ...resourceAttributes, namespace: "other" } },
    });
    await post("may nobody?", `${authorization}/subjectaccessreviews`, { spec: { resourceAttributes } });
    await post("may they read a path?", `${authorization}/subjectaccessreviews`, {
      spec: { user, nonResourceAttributes: { verb: "get", path: "/version" } },
    });
    await post("what may I do?", `${authorization}/selfsubjectaccessreviews`, { spec: {} });
    await post("a token", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "nonsense" } });
    await stage.tell("a list of reviews", { path: `${authorization}/subjectaccessreviews` });
  }),
  story("tokens that cannot be", async (stage) => {
    await newcomer(stage);
    const ask = (title: string, name: string, spec: object) =>
      stage.tell(title, {
        method: "POST",
        path: `${accounts(stage)}/${name}/token`,
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec },
      });
    await ask("of nobody", "nobody", {});
    await ask("too short", "newcomer", { expirationSeconds: 1 });
    await ask("for a pod that is not there", "newcomer", {
      boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" },
    });
    await ask("for something odd", "newcomer", { boundObjectRef: { kind: "Node", apiVersion: "v2", name: "none" } });
    await stage.tell("to be read", { path: `${accounts(stage)}/newcomer/token` });
  }),
  story("in another's name", async (stage) => {
    const path = `/api/v1/namespaces/${stage.ns}/configmaps`;
    const as = (title: string, headers: Record<string, string | string[]>) => stage.tell(title, { path, headers });
    await as("a user", { "impersonate-user": "jane" });
    await as("a group alone", { "impersonate-group": "system:masters" });
    await as("a user of a group", { "impersonate-user": "jane", "impersonate-group": "system:masters" });
    await as("an account", { "impersonate-user": `system:serviceaccount:${stage.ns}:default` });
    await stage.tell("who am I then?", {
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: {},
      headers: { "impersonate-user": "jane", "impersonate-extra-color": "red" },
    });
    const token = await newcomer(stage);
    await stage.tell("by who may not", { path, token, headers: { "impersonate-user": "jane" } });
  }),
];
