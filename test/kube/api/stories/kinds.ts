/** Every kind that is served: the least that an object of it can be, from its creation to its end. */
import { BUILT_IN } from "../../../../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf, type Kind } from "../../../../src/cluster/api/kinds/kind.ts";
import { waitFor } from "../../wait.ts";
import { type Story, story } from "../story.ts";
import { LEAST } from "./least.ts";

function lifeOf(kind: Kind): Story {
  const version = groupVersionOf(kind);
  return story(`${version} ${kind.kind}`, async ({ tell, quietly, ns }) => {
    const root = version.includes("/") ? `/apis/${version}` : `/api/${version}`;
    const path = kind.namespaced ? `${root}/namespaces/${ns}/${kind.plural}` : `${root}/${kind.plural}`;
    const least = LEAST[`${kind.group} ${kind.kind}`] ?? LEAST[kind.kind] ?? {};
    const name = least.name?.(ns) ?? (kind.namespaced ? "one" : `${ns}-one`);
    const body = { apiVersion: version, kind: kind.kind, metadata: { name }, ...least.fields?.(ns) };
    const { body: created } = await tell("create", { method: "POST", path, body });
    const { settled = () => true } = least;
    await waitFor("all to be said", async () => settled((await quietly({ path: `${path}/${name}` })).body));
    await tell("get", { path: `${path}/${name}` });
    await tell("a table", { path: `${path}/${name}`, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    const listed = `${path}?fieldSelector=metadata.name%3D${name}`;
    await tell("a list", { path: listed });
    await tell("a table of a list", { path: listed, accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    await tell("label", {
      method: "PATCH",
      path: `${path}/${name}`,
      type: "merge",
      body: { metadata: { labels: { a: "b" } } },
    });
    await tell("put, stale", { method: "PUT", path: `${path}/${name}`, body: created as object });
    await tell("put", { method: "PUT", path: `${path}/${name}`, body });
    await tell("a trial of its end", { method: "DELETE", path: `${path}/${name}?dryRun=All` });
    await tell("delete", { method: "DELETE", path: `${path}/${name}` });
    await tell("put what is not there", {
      method: "PUT",
      path: `${path}/${name}-2`,
      body: { ...body, metadata: { name: `${name}-2` } },
    });
  });
}

export const KINDS = BUILT_IN.filter(({ verbs }) => verbs.includes("create") && verbs.includes("get")).map(lifeOf);
