/**
 * What a resizer lives with, for tests: a simulated API server and a scripted driver, each on a real socket of this
 * machine, and claims of that driver. What arrives at either is written down in one journal, in order.
 */

import { Quantity } from "../../core/quantity.ts";
import type { KubeObject, PersistentVolume, PersistentVolumeClaim, Pod } from "../../core/types.ts";
import { type CsiClient, openCsiClient } from "../../csi/index.ts";
import { type Script, type ScriptedDriver, startScriptedDriver } from "../../csi/testing/index.ts";
import { tempDir } from "../../csi/testing/temp-dir.ts";
import { CLAIMS, type KubeClient, PODS, VOLUMES } from "../../kube/index.ts";
import type { ApiRequest } from "../../kube/testing/api-core.ts";
import { type ApiServer, startApiServer } from "../../kube/testing/api-server.ts";
import { storeKey } from "../../kube/testing/api-store.ts";
import { connect } from "../../kube/testing/connect.ts";
import type { Fault } from "../../kube/testing/faults.ts";
import { applyMergePatch } from "../../kube/testing/requests.ts";
import { type ClaimTraits, DRIVER, theClaim } from "../decide/fixtures.ts";

export const NAMESPACE = "prod";

export interface WorldTraits extends ClaimTraits {
  /** @default data */
  readonly name?: string;
  /** The volume's capacity: C unless said otherwise. */
  readonly P?: string;
  readonly volumeSpec?: Partial<PersistentVolume["spec"]>;
}

export interface World {
  readonly server: ApiServer;
  readonly driver: ScriptedDriver;
  /** The driver's socket. */
  readonly address: string;
  readonly client: KubeClient;
  readonly csi: CsiClient;
  /**
   * Reads and writes of single objects, and expansions: `get persistentvolumeclaims`, `patch persistentvolumeclaims/status`,
   * `expand vol-data to 20Gi`. What tests write in here themselves is there as well.
   */
  readonly journal: string[];
  /** Asked before each request is served, after it is in the journal. A test may change the server's objects here. */
  meddle: (request: ApiRequest) => Fault | undefined;
  /** Adds a claim of 10Gi that asks for 20Gi, unless told otherwise, and its volume. */
  add(traits?: WorldTraits): void;
  claim(name?: string): PersistentVolumeClaim;
  volume(name?: string): PersistentVolume;
  /** A merge patch by somebody else. */
  patchClaim(patch: object, name?: string): void;
  patchVolume(patch: object, name?: string): void;
  /** Somebody raises or lowers the request. */
  request(storage: string, name?: string): void;
  addPod(name: string, claim: string): void;
  removePod(name: string): void;
  /** The sizes that the driver was asked for, in order: of one volume, or of all. */
  expansions(name?: string): string[];
  stop(): Promise<void>;
}

/** The caller stops it. */
export async function createWorld(script: Script = {}): Promise<World> {
  const journal: string[] = [];
  const dir = tempDir();
  const address = dir.file("csi.sock");
  const driver = await startScriptedDriver({
    address,
    script: { name: DRIVER, adoptUnknown: true, ...script },
    onArrived({ method, volumeId, requiredBytes }) {
      if (method === "ControllerExpandVolume") journal.push(`expand ${volumeId} to ${Quantity.bytes(requiredBytes)}`);
    },
  });
  const server = await startApiServer({
    fault(request) {
      const entry = entryOf(request);
      if (entry !== undefined) journal.push(entry);
      return world.meddle(request);
    },
  });
  const client = connect(server.url);
  const csi = openCsiClient({ address, probeIntervalMs: 20 });
  const claims = server.store(CLAIMS.plural);
  const volumes = server.store(VOLUMES.plural);
  const claimKey = (name: string): string => storeKey({ namespace: NAMESPACE, name });
  const volumeKey = (name: string): string => storeKey({ name: `pv-${name}` });
  const need = (object: KubeObject | undefined): KubeObject => {
    if (object === undefined) throw new Error("it is not there");
    return object;
  };

  const world: World = {
    server,
    driver,
    address,
    client,
    csi,
    journal,
    meddle: () => undefined,

    add(traits = {}) {
      const { name = "data", P, volumeSpec = {} } = traits;
      const described = theClaim(traits);
      const claim = claims.put({
        ...described,
        metadata: { ...described.metadata, name, namespace: NAMESPACE },
        spec: { ...described.spec, volumeName: `pv-${name}` },
      } as PersistentVolumeClaim);
      const volume: PersistentVolume = {
        metadata: { name: `pv-${name}` },
        spec: {
          capacity: { storage: P ?? described.status?.capacity?.["storage"] ?? "10Gi" },
          accessModes: ["ReadWriteOnce"],
          claimRef: { namespace: NAMESPACE, name, uid: claim.metadata.uid ?? "" },
          csi: { driver: DRIVER, volumeHandle: `vol-${name}` },
          ...volumeSpec,
        },
      };
      volumes.put(volume);
    },
    claim: (name = "data") => need(claims.get(claimKey(name))) as PersistentVolumeClaim,
    volume: (name = "data") => need(volumes.get(volumeKey(name))) as PersistentVolume,
    patchClaim: (patch, name = "data") =>
      void claims.put(applyMergePatch(claims.get(claimKey(name)), patch) as KubeObject),
    patchVolume: (patch, name = "data") =>
      void volumes.put(applyMergePatch(volumes.get(volumeKey(name)), patch) as KubeObject),
    request: (storage, name = "data") => world.patchClaim({ spec: { resources: { requests: { storage } } } }, name),
    addPod(name, claimName) {
      const pod: Pod = {
        metadata: { namespace: NAMESPACE, name },
        spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] },
        status: { phase: "Running" },
      };
      server.store(PODS.plural).put(pod);
    },
    removePod: (name) => void server.store(PODS.plural).remove(storeKey({ namespace: NAMESPACE, name })),
    expansions: (name) =>
      driver
        .calls()
        .filter(({ method, volumeId }) => method === "ControllerExpandVolume" && (!name || volumeId === `vol-${name}`))
        .map(({ requiredBytes }) => Quantity.bytes(requiredBytes).toString()),
    async stop() {
      csi.stop();
      await client.close();
      await driver.stop();
      await server.close();
      dir.remove();
    },
  };
  return world;
}

/** Of reads and writes of single objects, without events and leases, which come by themselves. */
function entryOf({ method, path }: ApiRequest): string | undefined {
  const match = /^\/api\/v1(?:\/namespaces\/[^/]+)?\/([^/]+)\/[^/]+(\/[^/]+)?$/.exec(path);
  if (match === null || match[1] === "events") return undefined;
  return `${method.toLowerCase()} ${match[1]}${match[2] ?? ""}`;
}

/** A write that somebody else makes on an object in between, which changes nothing that matters. */
export function touched<T extends KubeObject>(object: T): T {
  const touches = Number(object.metadata.labels?.["touched"] ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, labels: { touched: String(touches) } } };
}
