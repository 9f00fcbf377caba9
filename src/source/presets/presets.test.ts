/** Each preset against a resource as a person would write it for that operator. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { KubeObject } from "../../core/types.ts";
import { checkSource } from "../decide/check-source.ts";
import { isPaused } from "../decide/paused.ts";
import { targetsOf } from "../decide/targets.ts";
import { PRESETS, presetNamed, sourceOf } from "./presets.ts";

/** What follows the resource, one line each: the set or the labels, then the sizes. */
function following(name: string, yaml: string): string[] {
  const spec = presetNamed(name)?.spec;
  if (spec === undefined) throw new Error(`there is no preset ${name}`);
  return targetsOf(spec, parse(yaml) as KubeObject).map(({ statefulSet, claimSelector, templates }) => {
    const sizes = templates.map(({ template, size }) => `${template}=${size?.toString()}`).join(" ");
    return `${JSON.stringify(statefulSet ?? claimSelector?.matchLabels)} ${sizes}`;
  });
}

interface Sample {
  readonly name: string;
  readonly resource: string;
  readonly follows: readonly string[];
  /** The same resource, with the operator told to stop; undefined where there is no way. */
  readonly paused: string | undefined;
}

const SAMPLES: readonly Sample[] = [
  {
    name: "moco",
    resource: `
      apiVersion: moco.cybozu.com/v1beta2
      kind: MySQLCluster
      metadata: {name: shop, namespace: prod}
      spec:
        replicas: 3
        volumeClaimTemplates:
        - metadata: {name: mysql-data}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}
        - metadata: {name: tmp}
          spec: {resources: {requests: {storage: 1Gi}}}`,
    follows: ['{"name":"moco-shop"} mysql-data=20Gi tmp=1Gi'],
    paused: '{metadata: {name: shop, annotations: {moco.cybozu.com/reconciliation-stopped: "true"}}}',
  },
  {
    name: "cloudnative-pg",
    resource: `
      apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      metadata: {name: shop, namespace: prod}
      spec:
        instances: 3
        storage: {size: 20Gi, pvcTemplate: {resources: {requests: {storage: 1Gi}}}}
        walStorage: {pvcTemplate: {resources: {requests: {storage: 4Gi}}}}
        tablespaces:
        - {name: archive, storage: {size: 100Gi}}
        - {name: hot, storage: {size: 5Gi}}`,
    follows: [
      '{"cnpg.io/cluster":"shop","cnpg.io/pvcRole":"PG_DATA"} data=20Gi',
      '{"cnpg.io/cluster":"shop","cnpg.io/pvcRole":"PG_WAL"} wal=4Gi',
      '{"cnpg.io/cluster":"shop","cnpg.io/pvcRole":"PG_TABLESPACE","cnpg.io/tablespaceName":"archive"} tablespace-archive=100Gi',
      '{"cnpg.io/cluster":"shop","cnpg.io/pvcRole":"PG_TABLESPACE","cnpg.io/tablespaceName":"hot"} tablespace-hot=5Gi',
    ],
    paused: "{metadata: {name: shop}, spec: {storage: {size: 20Gi, resizeInUseVolumes: false}}}",
  },
  {
    name: "strimzi",
    resource: `
      apiVersion: kafka.strimzi.io/v1
      kind: KafkaNodePool
      metadata: {name: brokers, namespace: prod, labels: {strimzi.io/cluster: events}}
      spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}`,
    follows: ['{"strimzi.io/pool-name":"brokers"} data=100Gi'],
    paused: undefined,
  },
  {
    name: "elasticsearch",
    resource: `
      apiVersion: elasticsearch.k8s.elastic.co/v1
      kind: Elasticsearch
      metadata: {name: logs, namespace: prod}
      spec:
        version: 9.2.0
        nodeSets:
        - name: masters
          count: 3
        - name: hot
          count: 5
          volumeClaimTemplates:
          - metadata: {name: elasticsearch-data}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 200Gi}}}`,
    follows: ['{"name":"logs-es-hot"} elasticsearch-data=200Gi'],
    paused: '{metadata: {name: logs, annotations: {eck.k8s.elastic.co/pause-orchestration: "true"}}}',
  },
  {
    name: "rabbitmq",
    resource: `
      apiVersion: rabbitmq.com/v1beta1
      kind: RabbitmqCluster
      metadata: {name: queues, namespace: prod}
      spec: {replicas: 3, persistence: {storageClassName: fast, storage: 20Gi}}`,
    follows: ['{"name":"queues-server"} persistence=20Gi'],
    paused: '{metadata: {name: queues, labels: {rabbitmq.com/pauseReconciliation: "true"}}}',
  },
  {
    name: "zalando-postgres",
    resource: `
      apiVersion: acid.zalan.do/v1
      kind: postgresql
      metadata: {name: acid-shop, namespace: prod}
      spec: {teamId: acid, numberOfInstances: 2, postgresql: {version: "17"}, volume: {size: 20Gi}}`,
    follows: ['{"name":"acid-shop"} pgdata=20Gi'],
    paused: undefined,
  },
  {
    name: "percona-xtradb",
    resource: `
      apiVersion: pxc.percona.com/v1
      kind: PerconaXtraDBCluster
      metadata: {name: shop, namespace: prod}
      spec:
        pxc: {size: 3, volumeSpec: {persistentVolumeClaim: {resources: {requests: {storage: 20Gi}}}}}
        haproxy: {enabled: false}
        proxysql: {enabled: true, volumeSpec: {persistentVolumeClaim: {resources: {requests: {storage: 2Gi}}}}}`,
    follows: ['{"name":"shop-pxc"} datadir=20Gi', '{"name":"shop-proxysql"} proxydata=2Gi'],
    paused: "{metadata: {name: shop}, spec: {enableVolumeExpansion: true}}",
  },
  {
    name: "victoria-metrics-cluster",
    resource: `
      apiVersion: operator.victoriametrics.com/v1beta1
      kind: VMCluster
      metadata: {name: metrics, namespace: prod}
      spec:
        retentionPeriod: "6"
        vmstorage:
          replicaCount: 2
          storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 100Gi}}}}}
        vmselect:
          replicaCount: 2
          storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 2Gi}}}}}`,
    follows: ['{"name":"vmstorage-metrics"} vmstorage-db=100Gi', '{"name":"vmselect-metrics"} vmselect-cachedir=2Gi'],
    paused: "{metadata: {name: metrics}, spec: {paused: true}}",
  },
  {
    name: "victoria-metrics-single",
    resource: `
      apiVersion: operator.victoriametrics.com/v1beta1
      kind: VMSingle
      metadata: {name: metrics, namespace: prod}
      spec: {retentionPeriod: "6", storage: {resources: {requests: {storage: 30Gi}}}}`,
    follows: ['{"app.kubernetes.io/name":"vmsingle","app.kubernetes.io/instance":"metrics"} data=30Gi'],
    paused: "{metadata: {name: metrics}, spec: {paused: true}}",
  },
];

test("every preset has a sample here, and they are in the order of their names", () => {
  expect(SAMPLES.map(({ name }) => name).sort()).toEqual(PRESETS.map(({ name }) => name));
});

describe.each(SAMPLES)("$name", ({ name, resource, follows, paused }) => {
  const preset = presetNamed(name);
  if (preset === undefined) throw new Error(`there is no preset ${name}`);

  test("is a source with which nothing is wrong", () => {
    expect(checkSource(preset.spec)).toEqual([]);
  });

  test("finds who follows and the sizes in a resource of the operator", () => {
    expect(following(name, resource)).toEqual(follows);
  });

  test("is of the kind that the sample is", () => {
    const { apiVersion, kind } = parse(resource) as KubeObject;
    const { group, version } = preset.spec.resource;
    expect([apiVersion, kind]).toEqual([`${group}/${version}`, preset.spec.resource.kind]);
  });

  test("asks for nothing where the resource has no sizes", () => {
    expect(following(name, "{metadata: {name: x}, spec: {}}")).toEqual([]);
  });

  test("knows when the operator was told to stop", () => {
    expect(isPaused(preset.spec, parse(resource) as KubeObject)).toBe(false);
    expect(paused === undefined).toBe(preset.spec.paused === undefined);
    if (paused !== undefined) expect(isPaused(preset.spec, parse(paused) as KubeObject)).toBe(true);
  });

  test("says what was verified, where, what the operator does, and what we do", () => {
    const { operator, version, verifiedIn, itself, ours, pausing } = preset;
    expect([operator, version, itself, ours, pausing].filter((text) => text.trim() === "")).toEqual([]);
    expect(verifiedIn.filter((place) => !place.startsWith("https://github.com/"))).toEqual([]);
    expect(verifiedIn.length).toBeGreaterThan(0);
  });

  test("becomes an object of its name", () => {
    expect(sourceOf(preset)).toEqual({
      apiVersion: "outgrow.dev/v1alpha1",
      kind: "ExpansionSource",
      metadata: { name },
      spec: preset.spec,
    });
  });
});
