/** The volumes of pods on this node: staged, published, and given back, through the CSI drivers. */
import { mkdir, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../../../core/errors.ts";
import type { PersistentVolume } from "../../../../core/types.ts";
import type { CsiClient } from "../../../../csi/index.ts";
import { CLAIMS, type KubeClient, VOLUMES } from "../../../../kube/index.ts";
import { capabilityOf } from "../../../../node/apply/grower.ts";
import { kubeletLayout } from "../../../../node/apply/layout.ts";
import type { Places } from "../../../../node/apply/places.ts";
import type { MountedVolume } from "../../../../node/controller/controller.ts";
import { createTurns } from "../../../../node/controller/turns.ts";
import { type ClaimUse, claimUses } from "../../../../node/decide/claim-uses.ts";
import type { NodePod } from "../decide/types.ts";
import type { Journal, Publication } from "./journal.ts";

export interface VolumesOptions {
  readonly client: Pick<KubeClient, "get">;
  /** The drivers of this node, by name. */
  readonly drivers: ReadonlyMap<string, CsiClient>;
  /** Where volumes are staged and published, laid out as the kubelet's folder is. */
  readonly folder: string;
  readonly journal: Journal;
  /** Grows a volume that was just published, if it is behind. Rejects when the pod has to wait. */
  readonly grow: (mounted: MountedVolume, signal: AbortSignal) => Promise<void>;
  /** Runs the work of unmounting while nobody grows the claim, `namespace/name`. */
  readonly release: (claim: string, work: () => Promise<void>) => Promise<void>;
}

export interface PodVolumes extends Places {
  /**
   * Has every claim of the pod published for it; what is there already is left alone. Rejects with a message for the
   * pod's events; what was reached is remembered. Volumes that are no driver's of this node's kind are there in name only.
   */
  mount(pod: NodePod, signal: AbortSignal): Promise<void>;
  /** Takes back all that this pod had, and the stages that nobody else uses. */
  unmount(podUid: string, signal: AbortSignal): Promise<void>;
  /** What is published by this process, in no particular order. */
  published(): Iterable<Publication>;
}

/** Volumes that were published by a process before this one are published again: their driver may have been restarted, too. */
export function createPodVolumes(options: VolumesOptions): PodVolumes {
  const { client, drivers, journal, grow, release } = options;
  const layout = kubeletLayout(options.folder);
  const turns = createTurns();
  /** By pod and claim: what this process has published. */
  const published = new Map<string, Publication>();

  async function mountOne(pod: NodePod, use: ClaimUse, signal: AbortSignal): Promise<void> {
    const { namespace = "default", uid: podUid = "" } = pod.metadata;
    const key = keyOf(podUid, namespace, use.claim);
    if (published.has(key)) return;
    const claim = await client.get(CLAIMS, { namespace, name: use.claim }, {}, signal);
    const { volumeName = "" } = claim.spec;
    if (volumeName === "" || claim.status?.phase !== "Bound") throw new Error(`PVC ${use.claim} is not bound`);
    const volume = await client.get(VOLUMES, { name: volumeName }, {}, signal);
    if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
      throw new Error(`volume ${volumeName} is not bound to claim ${namespace}/${use.claim}`);
    }
    const { csi } = volume.spec;
    if (csi === undefined) return;
    const publication: Publication = {
      podUid,
      volume: volumeName,
      claim: `${namespace}/${use.claim}`,
      driver: csi.driver,
      volumeHandle: csi.volumeHandle,
      volumePath: layout.publishPath(podUid, volume),
      stagingPath: layout.stagingPath(volume),
      readOnly: use.readOnly || csi.readOnly === true,
    };
    await turns.take(publication.stagingPath, () => publish(publication, volume, signal));
    await grow({ pod, claim, volume, place: publication }, signal);
    published.set(key, publication);
  }

  async function publish(publication: Publication, volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const { driver, volumeHandle: volumeId, stagingPath, volumePath, readOnly } = publication;
    const csi = need(driver);
    const abilities = await csi.nodeCapabilities(signal);
    const capability = capabilityOf(volume, abilities.has("SINGLE_NODE_MULTI_WRITER"));
    const params = { volumeId, capability, volumeContext: volume.spec.csi?.volumeAttributes ?? {} };
    await journal.put(publication);
    const named = `for volume ${JSON.stringify(publication.volume)}`;
    const stages = abilities.has("STAGE_UNSTAGE_VOLUME");
    if (stages) {
      await mkdir(stagingPath, { recursive: true, mode: 0o750 });
      await worded(`MountVolume.MountDevice failed ${named}`, csi.nodeStage({ ...params, stagingPath }, signal));
    }
    await mkdir(dirname(volumePath), { recursive: true, mode: 0o750 });
    const target = { ...params, targetPath: volumePath, readOnly, ...(stages ? { stagingPath } : {}) };
    await worded(`MountVolume.SetUp failed ${named}`, csi.nodePublish(target, signal));
  }

  async function takeBack(publication: Publication, signal: AbortSignal): Promise<void> {
    const { driver, volumeHandle: volumeId, stagingPath, volumePath: targetPath } = publication;
    published.delete(`${publication.podUid} ${publication.claim}`);
    const csi = drivers.get(driver);
    // A driver that is not here any more has nothing here: what a former run of it left, its next start takes back.
    if (csi === undefined) return journal.remove(publication);
    await csi.nodeUnpublish({ volumeId, targetPath }, signal);
    const ofPods = join(options.folder, "pods");
    await removeEmpty(dirname(targetPath), targetPath.startsWith(ofPods) ? ofPods : dirname(dirname(targetPath)));
    const isStaged = (await csi.nodeCapabilities(signal)).has("STAGE_UNSTAGE_VOLUME");
    const others = Iterator.from(journal.all()).some(
      (other) => other.stagingPath === stagingPath && other.podUid !== publication.podUid,
    );
    if (isStaged && !others) {
      await csi.nodeUnstage({ volumeId, stagingPath }, signal);
      const isBlock = !stagingPath.endsWith("globalmount");
      await removeEmpty(stagingPath, isBlock ? dirname(stagingPath) : dirname(dirname(stagingPath)));
    }
    await journal.remove(publication);
  }

  function need(driver: string): CsiClient {
    const csi = drivers.get(driver);
    if (csi === undefined) throw new Error(`driver name ${driver} not found in the list of registered CSI drivers`);
    return csi;
  }

  return {
    async mount(pod, signal) {
      for (const use of claimUses(pod)) await mountOne(pod, use, signal);
    },
    async unmount(podUid, signal) {
      for (const publication of journal.of(podUid)) {
        await release(publication.claim, () =>
          turns.take(publication.stagingPath, () => takeBack(publication, signal)),
        );
      }
    },
    published: () => published.values(),
    find(podUid, { spec: { claimRef } }) {
      return Promise.resolve(published.get(keyOf(podUid, claimRef?.namespace ?? "", claimRef?.name ?? "")));
    },
  };
}

function keyOf(podUid: string, namespace: string, claim: string): string {
  return `${podUid} ${namespace}/${claim}`;
}

async function worded(what: string, call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    throw new Error(`${what} : ${messageOf(error)}`, { cause: error });
  }
}

/** This folder and those above it, below `limit`, as far as they are empty: what is in a folder may be somebody's data. */
async function removeEmpty(path: string, limit: string): Promise<void> {
  for (let folder = path; folder.startsWith(`${limit}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOTEMPTY" || code === "EBUSY") return;
      if (code !== "ENOENT") throw error;
    }
  }
}
