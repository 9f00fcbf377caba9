/**
 * What the suites of the resizer share: one control plane per file, with the rights of deploy/resizer, and for each test a
 * scene of its own on it: a namespace, a scripted driver with a name of its own, claims, and resizers beside the driver.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClaimView, readClaim } from "../../../src/core/claim.ts";
import { Quantity } from "../../../src/core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/core/types.ts";
import {
  type RecordedCall,
  type ScriptedDriver,
  type ScriptedDriverOptions,
  startScriptedDriver,
} from "../../../src/csi/testing/index.ts";
import { tempDir } from "../../../src/csi/testing/temp-dir.ts";
import type { Event } from "../../../src/kube/index.ts";
import type { AuditEntry, AuditMark } from "../audit.ts";
import { type ControlPlane, startControlPlane } from "../control-plane.ts";
import type { User } from "../credentials.ts";
import { type ClaimFixture, createBoundClaims, createNamespace, createStorageClass } from "../fixtures.ts";
import type { ControlPlaneOptions } from "../options.ts";
import { userFor } from "../rbac.ts";
import { waitFor } from "../wait.ts";
import { type ResizerProcess, startResizer, tail } from "./resizer-process.ts";

export interface Stage {
  readonly plane: ControlPlane;
  /** The service account of deploy/resizer. */
  readonly user: User;
  /** A scene for one test; its name is also that of its namespace and class. The caller disposes of it. */
  scene(name: string, driver?: Omit<ScriptedDriverOptions, "address">): Promise<Scene>;
  stop(): Promise<void>;
}

type Claim = Omit<ClaimFixture, "namespace" | "driver" | "className">;

export interface Scene extends AsyncDisposable {
  readonly stage: Stage;
  readonly namespace: string;
  readonly driverName: string;
  readonly driver: ScriptedDriver;
  /** Creates claims that are bound, and their volumes on the driver's storage. */
  create(...claims: readonly Claim[]): Promise<void>;
  /** A person asks for another size. */
  request(name: string, size: string): Promise<void>;
  read(name: string): Promise<PersistentVolumeClaim>;
  readVolume(name: string): Promise<PersistentVolume>;
  /** Waits until the claim is like this; the error shows how it was at the end, and what the resizers said. */
  until(name: string, what: string, is: (claim: ClaimView) => boolean, timeoutMs?: number): Promise<ClaimView>;
  /** Waits until the claim has this size, and nothing tells of an expansion any more. */
  untilGrown(name: string, size: string, timeoutMs?: number): Promise<ClaimView>;
  /** Starts a resizer with leader election and these flags; resolves when it is at work. Killed with the scene. */
  resizer(flags?: readonly string[], kubeconfig?: string): Promise<ResizerProcess>;
  /** The same, without waiting for its work to begin. */
  launch(flags?: readonly string[], kubeconfig?: string): Promise<ResizerProcess>;
  /** Calls of ControllerExpandVolume so far, for one claim or all. */
  expansions(name?: string): readonly RecordedCall[];
  events(): Promise<readonly Event[]>;
  /**
   * Waits for an event with this reason or message, and gives all there are. Events are told aside from the work: when the
   * last one is there, all are.
   */
  untilTold(what: string): Promise<readonly Event[]>;
  /** What the resizer's account asked of the API server about the claims, volumes and events of this scene. */
  requests(since?: AuditMark): Promise<readonly AuditEntry[]>;
}

export const NAMESPACE = "csi-example";
/** A process that died is back by then, however busy the machine is. In milliseconds. */
const PATIENCE = 180_000;
const DEPLOY = join(import.meta.dirname, "../../../deploy/resizer");

/** The control plane runs no controllers unless told. */
export async function openStage(options: ControlPlaneOptions = { controllers: [] }): Promise<Stage> {
  const plane = await startControlPlane(options);
  const files = ["rbac.yaml", "rbac-secrets.yaml"].map((file) => readFile(join(DEPLOY, file), "utf8"));
  const manifest = (await Promise.all(files)).join("\n---\n");
  const user = await userFor(plane, { namespace: NAMESPACE, account: "outgrow-resizer", manifest });
  const stage: Stage = {
    plane,
    user,
    scene: (name, driver = {}) => openScene(stage, name, driver),
    stop: () => plane.stop(),
  };
  return stage;
}

async function openScene(
  stage: Stage,
  name: string,
  { script = {}, ...hooks }: Omit<ScriptedDriverOptions, "address">,
): Promise<Scene> {
  const { plane, user } = stage;
  const namespace = name;
  const driverName = script.name ?? `${name}.csi.example.com`;
  const claimPath = (claim: string) => `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${claim}`;
  const handle = (claim: string) => `pv-${namespace}-${claim}`;
  await createNamespace(plane, namespace);
  await createStorageClass(plane, name, driverName);
  const folder = tempDir();
  const driver = await startScriptedDriver({
    ...hooks,
    address: folder.file("csi.sock"),
    script: { ...script, name: driverName },
  });
  const resizers: ResizerProcess[] = [];

  const read = (claim: string): Promise<PersistentVolumeClaim> => plane.api.get(claimPath(claim));
  /** Whatever is waited for in vain: the error shows what the resizers said. */
  const explained = async <T>(waiting: Promise<T>, more: () => object = () => ({})): Promise<T> => {
    try {
      return await waiting;
    } catch (error) {
      const logs = resizers.map((resizer) => tail(resizer.log())).join("\n");
      throw new Error(`${(error as Error).message}\n${JSON.stringify(more())}\n${logs}`, { cause: error });
    }
  };
  const until: Scene["until"] = (claim, what, is, timeoutMs = PATIENCE) => {
    let last: PersistentVolumeClaim | undefined;
    const look = async (): Promise<ClaimView | undefined> => {
      last = await read(claim);
      const view = readClaim(last);
      return is(view) ? view : undefined;
    };
    return explained(waitFor(`claim ${claim}: ${what}`, look, { timeoutMs, everyMs: 50 }), () => ({ ...last }));
  };
  const events: Scene["events"] = async () =>
    (await plane.api.get<{ items: Event[] }>(`/api/v1/namespaces/${namespace}/events`)).items;
  const launch: Scene["launch"] = async (flags = [], kubeconfig = user.kubeconfig) => {
    const started = startResizer({
      kubeconfig,
      socket: driver.socketPath,
      flags: ["--leader-election", "--v=5", ...flags],
    });
    resizers.push(started);
    return started;
  };

  return {
    stage,
    namespace,
    driverName,
    driver,
    async create(...claims) {
      await createBoundClaims(
        plane,
        claims.map((claim) => ({ ...claim, namespace, driver: driverName, className: name })),
      );
      for (const claim of claims) {
        const bytes = Quantity.parse(claim.size).toBytes();
        driver.setVolume(handle(claim.name), { backendBytes: bytes, fileSystemBytes: bytes });
      }
    },
    async request(claim, size) {
      await plane.api.patch(claimPath(claim), { spec: { resources: { requests: { storage: size } } } });
    },
    read,
    readVolume: (claim) => plane.api.get(`/api/v1/persistentvolumes/${handle(claim)}`),
    until,
    untilGrown: (claim, size, timeoutMs) =>
      until(
        claim,
        `to have ${size} and be at rest`,
        ({ capacity, state, conditions }) =>
          capacity?.equals(Quantity.parse(size)) === true && state === "none" && conditions.size === 0,
        timeoutMs,
      ),
    launch,
    async resizer(flags, kubeconfig) {
      const started = await launch(flags, kubeconfig);
      await started.says("holding the lease", PATIENCE);
      return started;
    },
    expansions: (claim) =>
      driver
        .calls()
        .filter(({ method }) => method === "ControllerExpandVolume")
        .filter(({ volumeId }) => claim === undefined || volumeId === handle(claim)),
    events,
    untilTold: (what) =>
      explained(
        waitFor(
          `event ${what}`,
          async () => {
            const told = await events();
            return told.some(({ reason, message }) => reason === what || message === what) && told;
          },
          { timeoutMs: PATIENCE },
        ),
      ),
    async requests(since = 0) {
      const entries = await plane.auditEntries({ user: user.name, since });
      return entries.filter(({ namespace: where, name: what }) => where === namespace || what.startsWith(handle("")));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(resizers.map((resizer) => resizer.kill()));
      await driver.stop();
      folder.remove();
    },
  };
}
