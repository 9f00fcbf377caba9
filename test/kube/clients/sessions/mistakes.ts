/** What somebody mistypes, and what they are told. */
import type { Session } from "../session.ts";
import { configMap, deployment, statefulSet } from "./manifests.ts";

const listOf = (...items: readonly object[]): object => ({ apiVersion: "v1", kind: "List", items });

export const mistakes: readonly Session[] = [
  {
    name: "mistakes",
    files: {
      "set.yaml": statefulSet("db"),
      "many.yaml": statefulSet("db", { replicas: "many" }),
      "few.yaml": statefulSet("db", { replicas: 1.5 }),
      "flat.yaml": statefulSet("db", { template: "none" }),
      "web.yaml": deployment("web"),
      "list.yaml": listOf(configMap("first", { a: "1" }), { ...configMap("second", { a: "1" }), oops: 1 }),
    },
    steps: [
      "apply -f set.yaml",
      "apply -f many.yaml",
      "apply -f few.yaml",
      "apply -f flat.yaml",
      'patch sts db -p \'{"spec":{"replicas":"x"}}\'',
      'patch sts db -p \'{"spec":{"template":{"spec":{"containers":[{"name":"main","env":{}}]}}}}\'',
      'patch sts db -p \'{"metadata":{"labels":{"a":1}}}\'',
      "create -f list.yaml",
      "create -f web.yaml",
      "expose deployment web --port=80 --cluster-ip=None --session-affinity=ClientIP --external-ip=192.0.2.1",
      "create secret generic pull --type=kubernetes.io/dockercfg --from-literal=.dockercfg=x",
      "create secret generic pull --type=kubernetes.io/dockerconfigjson --from-literal=.dockerconfigjson=[]",
      "get --raw /api/v1/namespaces/mistakes/pods?timeout=soon",
      "get --raw /api/v1/namespaces/mistakes/pods?timeoutSeconds=soon",
      "label ns mistakes pod-security.kubernetes.io/enforce=strict",
      "get --raw /readyz/ping",
      "get --raw /readyz/etcd",
    ],
  },
];
