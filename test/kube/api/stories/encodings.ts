/** Answers in other encodings than plain JSON. */
import { isDeepStrictEqual } from "node:util";
import { type Stage, story } from "../story.ts";

const maps = ({ ns }: Stage): string => `/api/v1/namespaces/${ns}/configmaps`;
const YAML = "application/yaml";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const set = {
  metadata: { name: "db", annotations: { n: "1" } },
  spec: {
    serviceName: "db",
    replicas: 0,
    selector: { matchLabels: { app: "db" } },
    template: {
      metadata: { labels: { app: "db" } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: "c",
            image: "x",
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: "web" }, initialDelaySeconds: 3 },
            readinessProbe: { tcpSocket: { port: 80 } },
            resources: { requests: { cpu: "500m", memory: "1Gi" } },
            envFrom: [{ configMapRef: { name: "a", optional: false } }],
          },
        ],
        volumes: [{ name: "v", emptyDir: { sizeLimit: "1Gi" } }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ],
  },
};
const TABLE = ";as=Table;v=v1;g=meta.k8s.io";
const META = ";v=v1;g=meta.k8s.io";
const PEOPLE = ["curl/8.5.0", "Wget/1.21", "Mozilla/5.0 (X11)", "kubectl/v1.36.3"];
const data = {
  "app.conf": "a=1\n\n  b = 2\n",
  words: "yes: no # maybe",
  number: "1e3",
  none: "",
  spaces: " x ",
  odd: "\u0007\u00e9\u2028",
  long: "word ".repeat(60),
};

async function two(stage: Stage): Promise<void> {
  for (const name of ["a", "b"]) {
    await stage.quietly({
      method: "POST",
      path: maps(stage),
      body: { metadata: { name, labels: { it: "yes" } }, data },
    });
  }
}

export const ENCODINGS = [
  story("YAML", async (stage) => {
    const { tell } = stage;
    await two(stage);
    const path = maps(stage);
    await tell("an object", { path: `${path}/a`, accept: YAML });
    await tell("a list", { path: `${path}?labelSelector=it`, accept: YAML });
    await tell("a list of none", { path: `${path}?labelSelector=nope`, accept: YAML });
    await tell("a table", { path: `${path}/a`, accept: YAML + TABLE });
    await tell("metadata", { path: `${path}/a`, accept: `${YAML};as=PartialObjectMetadata;v=v1;g=meta.k8s.io` });
    await tell("what is not there", { path: `${path}/none`, accept: YAML });
    await tell("a path that leads nowhere", { path: "/api/v1/nonsense", accept: YAML });
    await tell("created", { method: "POST", path, body: { metadata: { name: "c" } }, accept: YAML });
    await tell("refused", { method: "POST", path, body: { metadata: { name: "C" } }, accept: YAML });
    await tell("deleted", { method: "DELETE", path: `${path}/c`, accept: YAML });
    await tell("all deleted", { method: "DELETE", path: `${path}?labelSelector=it`, accept: YAML });
    await tell("JSON is better", { path: `${path}?labelSelector=it`, accept: `${YAML};q=0.5,application/json` });
    await tell("JSON is as good", { path: `${path}?labelSelector=it`, accept: `${YAML},application/json` });
    await tell("anything", { path: `${path}?labelSelector=it`, accept: "*/*" });
    await tell("a watch", { path: `${path}?watch=true&timeoutSeconds=1`, accept: YAML });
    await tell("a watch, with a second choice", {
      path: `${path}?watch=true&timeoutSeconds=1`,
      accept: `${YAML},text/html`,
    });
    await tell("a group", { path: "/apis/policy", accept: YAML });
    await tell("a scale", { path: `/apis/apps/v1/namespaces/${stage.ns}/deployments/none/scale`, accept: YAML });
    await tell("CBOR", { path, accept: "application/cbor" });
  }),
  story("one for many, many for one", async (stage) => {
    const { tell, ns } = stage;
    await two(stage);
    const one = `application/json;as=PartialObjectMetadata${META}`;
    const many = `application/json;as=PartialObjectMetadataList${META}`;
    const path = maps(stage);
    const sets = `/apis/apps/v1/namespaces/${ns}/statefulsets`;
    await stage.quietly({ method: "POST", path: sets, body: set });
    await tell("one of a list", { path: `${path}?labelSelector=it`, accept: one });
    await tell("with a second choice", { path: `${path}?labelSelector=it`, accept: `${one},application/json` });
    await tell("in YAML", { path: `${path}?labelSelector=it`, accept: one.replace("json", "yaml") });
    await tell("in protobuf", { path: `${path}?labelSelector=it`, accept: one.replace("application/json", PROTOBUF) });
    await tell("a list of one", { path: `${path}/a`, accept: many });
    await tell("of what is not there", { path: `${path}/none`, accept: many });
    for (const kind of [
      sets,
      "/apis/storage.k8s.io/v1/storageclasses",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      "/apis/events.k8s.io/v1/events",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
      "/apis/policy/v1/poddisruptionbudgets",
    ]) {
      await tell(`one of ${kind.replace(ns, "NS")}`, { path: kind, accept: one });
    }
    await tell("a list of a set", { path: `${sets}/db`, accept: many });
    await tell("a list of a scale", { path: `${sets}/db/scale`, accept: many });
    await tell("created all the same", { method: "POST", path, body: { metadata: { name: "c" } }, accept: many });
    await tell("it is there", { path: `${path}/c` });
    await tell("all deleted, as metadata", { method: "DELETE", path: `${path}?labelSelector=it`, accept: many });
    await tell("none deleted, as one", { method: "DELETE", path: `${path}?labelSelector=it`, accept: one });
    await tell("deleted, as a list", { method: "DELETE", path: `${path}/c`, accept: many });
  }),
  story("protobuf", async (stage) => {
    const { tell } = stage;
    await two(stage);
    const path = maps(stage);
    const sets = `/apis/apps/v1/namespaces/${stage.ns}/statefulsets`;
    await stage.quietly({ method: "POST", path: sets, body: set });
    await tell("an object", { path: `${path}/a`, accept: PROTOBUF });
    await tell("much of an object", { path: `${sets}/db`, accept: PROTOBUF });
    await tell("a scale", { path: `${sets}/db/scale`, accept: PROTOBUF });
    await tell("a list", { path: `${path}?labelSelector=it`, accept: PROTOBUF });
    await tell("a list of none", { path: `${path}?labelSelector=nope`, accept: PROTOBUF });
    await tell("a page", {
      path: `${path}?limit=1`,
      accept: `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`,
    });
    await tell("metadata", { path: `${sets}/db`, accept: `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io` });
    await tell("a table", { path: `${sets}/db`, accept: PROTOBUF + TABLE });
    await tell("what is not there", { path: `${path}/none`, accept: PROTOBUF });
    await tell("refused", { method: "POST", path, body: { metadata: { name: "C" } }, accept: PROTOBUF });
    await tell("created", {
      method: "POST",
      path,
      body: { metadata: { name: "c" }, binaryData: { b: "AAEC" } },
      accept: PROTOBUF,
    });
    await tell("a watch", { path: `${path}?watch=true&timeoutSeconds=1&labelSelector=it`, accept: PROTOBUF });
    await tell("a watch of metadata", {
      path: `${path}?watch=true&timeoutSeconds=1&labelSelector=it`,
      accept: `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`,
    });
    await tell("deleted", { method: "DELETE", path: `${path}/c`, accept: PROTOBUF });
    for (const kind of ["/api/v1/namespaces", "/apis/rbac.authorization.k8s.io/v1/clusterroles", "/api/v1/services"]) {
      const { body } = await stage.quietly({ path: kind, accept: PROTOBUF });
      const { body: same } = await stage.quietly({ path: kind });
      const untyped = JSON.parse(JSON.stringify((same as { items: object[] }).items)) as object[];
      stage.note(`${kind} as JSON says`, isDeepStrictEqual((body as { items: object[] }).items, untyped));
    }
  }),
  story("for people", async (stage) => {
    const { tell } = stage;
    await two(stage);
    const path = maps(stage);
    for (const agent of PEOPLE) {
      await tell(`an object for ${agent}`, { path: `${path}/a`, headers: { "user-agent": agent } });
    }
    const curl = { "user-agent": "curl/8.5.0" };
    await tell("a list", { path: `${path}?labelSelector=it`, headers: curl });
    await tell("a list of none", { path: `${path}?labelSelector=nope`, headers: curl });
    await tell("a refusal", { path: `${path}/none`, headers: curl });
    await tell("a group", { path: "/apis/policy", headers: curl });
    await tell("not wanted", { path: `${path}/a?pretty=false`, headers: curl });
    await tell("wanted", { path: `${path}/a?pretty=true` });
    await tell("nonsense", { path: `${path}/a?pretty=nonsense`, headers: curl });
    await tell("by the header", { path: `${path}/a`, accept: "application/json;pretty=1" });
    await tell("a table", { path: `${path}/a?pretty=1`, accept: `application/json${TABLE}` });
  }),
  story("tables of old", async (stage) => {
    await two(stage);
    const path = maps(stage);
    const old = (as: string): string => `application/json;as=${as};v=v1beta1;g=meta.k8s.io`;
    for (const as of ["Table", "PartialObjectMetadata", "PartialObjectMetadataList", "Nonsense"]) {
      await stage.tell(`${as} of one`, { path: `${path}/a`, accept: old(as) });
      await stage.tell(`${as} of all`, { path, accept: old(as) });
    }
    await stage.tell("before the new one", { path, accept: `${old("Table")},application/json${TABLE}` });
    await stage.tell("after it", { path, accept: `application/json${TABLE},${old("Table")}` });
    await stage.tell("in YAML", { path: `${path}/a`, accept: old("Table").replace("json", "yaml") });
    await stage.tell("with objects", { path: `${path}?includeObject=Object`, accept: old("Table") });
    const { events } = await stage.server.watch(`${path}?watch=true&timeoutSeconds=2`, 2, old("Table"));
    stage.note("a watch", await events);
    const metadata = await stage.server.watch(`${path}?watch=true&timeoutSeconds=2`, 2, old("PartialObjectMetadata"));
    stage.note("a watch of metadata", await metadata.events);
    await stage.tell("metadata in protobuf", {
      path,
      accept: `${PROTOBUF};as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io`,
    });
  }),
  story("groups in order", async (stage) => {
    // Others come and go with the stories that define them.
    const isBuiltIn = (name: string): boolean => !name.endsWith("example.com");
    const { body: old } = await stage.quietly({ path: "/apis" });
    const groups = (old as { groups: { name: string }[] }).groups.map(({ name }) => name);
    stage.note("one by one", groups.filter(isBuiltIn));
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const { body: whole } = await stage.quietly({ path: "/apis", accept });
    const { items } = whole as {
      items: { metadata: { name: string }; versions: { resources: { resource: string }[] }[] }[];
    };
    for (const { metadata, versions } of items.filter((item) => isBuiltIn(item.metadata.name))) {
      stage.note(
        metadata.name,
        versions.map(({ resources }) => resources.map(({ resource }) => resource)),
      );
    }
  }),
];
