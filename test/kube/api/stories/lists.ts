/** Lists: selectors, pages, versions, and the forms that they come in. */
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";
const ONE_METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";

async function five(stage: Stage): Promise<void> {
  for (const name of ["a", "b", "c", "d", "e"]) {
    const labels = { color: name < "c" ? "red" : "blue", name };
    await stage.quietly({ method: "POST", path: maps(stage), body: { metadata: { name, labels }, data: { name } } });
  }
}

export const LISTS = [
  story("selectors", async (stage) => {
    await five(stage);
    const path = maps(stage);
    for (const selector of [
      "color=red",
      "color!=red",
      "name in (a,e)",
      "!color",
      "color,name notin (a)",
      "color=",
      "x in",
    ]) {
      await stage.tell(selector, { path: `${path}?labelSelector=${encodeURIComponent(selector)}` });
    }
    for (const selector of [
      "metadata.name=a",
      "metadata.name!=a",
      "spec.x=1",
      "metadata.namespace=other",
      "nonsense",
    ]) {
      await stage.tell(selector, { path: `${path}?fieldSelector=${encodeURIComponent(selector)}` });
    }
  }),
  story("pages", async (stage) => {
    await five(stage);
    const path = maps(stage);
    const first = await stage.tell("first", { path: `${path}?limit=2&labelSelector=color` });
    const token = (first.body as { metadata: { continue: string } }).metadata.continue;
    await stage.tell("second", { path: `${path}?limit=2&labelSelector=color&continue=${token}` });
    await stage.tell("counted", { path: `${path}?limit=2&fieldSelector=` });
    await stage.tell("nonsense", { path: `${path}?limit=2&continue=nonsense` });
    await stage.tell("no number", { path: `${path}?limit=two` });
    await stage.tell("one too many", { path: `${path}?limit=5&labelSelector=color` });
  }),
  story("versions", async (stage) => {
    await five(stage);
    const path = `${maps(stage)}?labelSelector=color`;
    await stage.tell("no number", { path: `${path}&resourceVersion=abc` });
    await stage.tell("exactly any", { path: `${path}&resourceVersion=0&resourceVersionMatch=Exact` });
    await stage.tell("a match without a version", { path: `${path}&resourceVersionMatch=Exact` });
    await stage.tell("no match", { path: `${path}&resourceVersion=1&resourceVersionMatch=Roughly` });
    await stage.tell("initial events", { path: `${path}&sendInitialEvents=true` });
    const { body } = await stage.quietly({ path });
    const version = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    await stage.quietly({ method: "DELETE", path: `${maps(stage)}/a` });
    await stage.tell("as it was", { path: `${path}&resourceVersion=${version}&resourceVersionMatch=Exact` });
    const { body: after } = await stage.quietly({ path });
    const now = (after as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    await stage.tell("not older", { path: `${path}&resourceVersion=${now}&resourceVersionMatch=NotOlderThan` });
    // Kubernetes may answer from what it has seen so far: now it has seen everything.
    await stage.tell("any", { path: `${path}&resourceVersion=0` });
  }),
  story("forms", async (stage) => {
    await five(stage);
    const path = maps(stage);
    await stage.tell("a table", { path: `${path}?labelSelector=color`, accept: TABLE });
    await stage.tell("a table of one", { path: `${path}/a`, accept: TABLE });
    await stage.tell("a table with objects", { path: `${path}/a?includeObject=Object`, accept: TABLE });
    await stage.tell("a table with nothing", { path: `${path}/a?includeObject=None`, accept: TABLE });
    await stage.tell("a table with something", { path: `${path}/a?includeObject=Some`, accept: TABLE });
    await stage.tell("metadata", { path: `${path}?labelSelector=color`, accept: METADATA });
    await stage.tell("metadata of one", { path: `${path}/a`, accept: ONE_METADATA });
    await stage.tell("nothing that is there", { path, accept: "text/html" });
    await stage.tell("a table of some other version", { path, accept: "application/json;as=Table;v=v9;g=meta.k8s.io" });
    await stage.tell("nothing that one is", { path: `${path}/a`, accept: "text/html" });
    await stage.tell("anything", { path: `${path}/a`, accept: "*/*" });
    await stage.tell("a table of what is not there", { path: `${path}/none`, accept: TABLE });
  }),
];
