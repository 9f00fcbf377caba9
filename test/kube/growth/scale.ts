/** Many sets that grow at once, and what that costs the API server. */
import type { PersistentVolumeClaim } from "../../../src/core/types.ts";
import type { VolumeExpansion } from "../../../src/statefulset/types.ts";
import type { ControlPlane } from "../control-plane.ts";
import { waitFor } from "../wait.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

export interface ManyOptions {
  /** Begins the names of their namespaces. */
  readonly name: string;
  readonly sets: number;
  readonly replicas: number;
}

export interface Growth {
  readonly sets: number;
  readonly claims: number;
  /** Until the last claim had its size, and until the last template had. */
  readonly claimSeconds: number;
  readonly seconds: number;
  /** What the controller wrote, by `verb resource`; events apart, and without what lost a race against somebody else. */
  readonly writes: Readonly<Record<string, number>>;
  readonly events: number;
}

const AT_ONCE = 10;
const READS = ["get", "list", "watch"];

/** Makes the sets, each in a namespace of its own, and has them all grow from 1Gi to 2Gi. A controller must be at work. */
export async function growMany(stage: Stage<ControlPlane>, { name, sets, replicas }: ManyOptions): Promise<Growth> {
  const scenes: Scene[] = [];
  for (let first = 0; first < sets; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, sets - first) }, (_, index) => `${name}-${first + index}`);
    scenes.push(...(await Promise.all(batch.map((namespace) => create(stage, namespace, replicas)))));
  }
  const since = await stage.plane.auditMark();
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 1000;
  await inBatches(scenes, (scene) => scene.wish("data=2Gi"));

  const isOurs = ({ metadata }: { metadata: { namespace?: string } }): boolean =>
    metadata.namespace?.startsWith(`${name}-`) === true;
  const limit = { timeoutMs: 180_000 + sets * replicas * 500, everyMs: 500 };
  await waitFor(
    "all claims to have their size",
    async () => {
      const { items } = await stage.plane.api.get<{ items: PersistentVolumeClaim[] }>("/api/v1/persistentvolumeclaims");
      return items.filter(isOurs).every(({ status }) => status?.capacity?.["storage"] === "2Gi");
    },
    limit,
  );
  const claimSeconds = passed();
  await waitFor(
    "all records to say so",
    async () => {
      const { items } = await stage.plane.api.get<{ items: VolumeExpansion[] }>(
        "/apis/outgrow.dev/v1alpha1/volumeexpansions",
      );
      return items.filter((record) => isOurs(record) && record.status?.phase === "Done").length === sets;
    },
    limit,
  );
  const seconds = passed();

  const entries = (await stage.plane.auditEntries({ user: stage.user.name, since })).filter(
    ({ verb, namespace, code = 200 }) => !READS.includes(verb) && namespace.startsWith(`${name}-`) && code < 400,
  );
  const writes: Record<string, number> = {};
  for (const { verb, resource } of entries) {
    if (resource !== "events") writes[`${verb} ${resource}`] = (writes[`${verb} ${resource}`] ?? 0) + 1;
  }
  const events = entries.filter(({ resource }) => resource === "events").length;
  return { sets, claims: sets * replicas, claimSeconds, seconds, writes, events };
}

async function create(stage: Stage, namespace: string, replicas: number): Promise<Scene> {
  const scene = await stage.scene(namespace);
  await scene.create({ replicas });
  return scene;
}

async function inBatches(scenes: readonly Scene[], work: (scene: Scene) => Promise<void>): Promise<void> {
  for (let first = 0; first < scenes.length; first += AT_ONCE) {
    await Promise.all(scenes.slice(first, first + AT_ONCE).map(work));
  }
}
