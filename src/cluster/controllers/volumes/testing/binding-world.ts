/**
 * Claims and volumes in memory, a binder that works on them through its own rules and writes, and that may die in
 * between.
 */
import { storageClasses } from "../../../../admission/storage-classes.ts";
import type { KubeObject, PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import { applyToClaim } from "../binder/apply/claim.ts";
import { applyToVolume } from "../binder/apply/volume.ts";
import { decideClaim } from "../binder/decide/claim.ts";
import { decideVolume } from "../binder/decide/volume.ts";
import type { Writer } from "../shared/writer.ts";

/** Thrown by the write that a process did not live to make. */
export class Death extends Error {}

export interface BindingWorld {
  readonly claims: Map<string, PersistentVolumeClaim>;
  readonly volumes: Map<string, PersistentVolume>;
  put(kind: "claims" | "volumes", object: KubeObject): void;
  /** Works on one claim or volume; dies instead of making write number `lastWrite + 1`. Gives how many were made. */
  lookAt(kind: "claims" | "volumes", name: string, lastWrite?: number): Promise<number>;
}

const TELLER = { claim() {}, volume() {}, forget() {} };

export function createBindingWorld(): BindingWorld {
  const claims = new Map<string, PersistentVolumeClaim>();
  const volumes = new Map<string, PersistentVolume>();
  let serial = 0;

  /** A new uid for what is new, and each time another version. */
  function stamped<T extends KubeObject>(object: T): T {
    const uid = object.metadata.uid ?? `u${serial++}`;
    return { ...object, metadata: { ...object.metadata, uid, resourceVersion: `${serial++}` } };
  }

  function writerUntil(lastWrite: number): { writer: Writer; made: () => number } {
    let made = 0;
    const write =
      <T extends KubeObject>(held: Map<string, T>) =>
      (read: T, wanted: T): Promise<T> => {
        if (read === wanted || JSON.stringify(read) === JSON.stringify(wanted)) return Promise.resolve(read);
        if (made === lastWrite) return Promise.reject(new Death());
        made++;
        const written = stamped(wanted);
        held.set(written.metadata.name, written);
        return Promise.resolve(written);
      };
    const [claim, volume] = [write(claims), write(volumes)];
    return { writer: { claim, claimStatus: claim, volume, volumeStatus: volume }, made: () => made };
  }

  async function work(kind: "claims" | "volumes", name: string, writer: Writer): Promise<void> {
    const [claim, volume] = [claims.get(name), volumes.get(name)];
    if (kind === "claims" && claim !== undefined) {
      const named = volumes.get(claim.spec.volumeName ?? "");
      const facts = { claim, named, volumes: volumes.values(), classes: storageClasses([]), pods: [] };
      await applyToClaim({ writer, teller: TELLER }, claim, decideClaim(facts));
    }
    if (kind === "volumes" && volume !== undefined) {
      const { name: claimName = "", uid } = volume.spec.claimRef ?? {};
      const held = claims.get(claimName);
      const own = held?.metadata.uid === uid ? held : undefined;
      const tools = { writer, teller: TELLER, lookAtClaim() {} };
      await applyToVolume(tools, volume, own, decideVolume({ volume, claim: own }));
    }
  }

  return {
    claims,
    volumes,
    put(kind, object) {
      const stored = stamped(object);
      if (kind === "claims") claims.set(stored.metadata.name, stored as PersistentVolumeClaim);
      else volumes.set(stored.metadata.name, stored as PersistentVolume);
    },
    async lookAt(kind, name, lastWrite = Number.POSITIVE_INFINITY) {
      const { writer, made } = writerUntil(lastWrite);
      try {
        await work(kind, name, writer);
      } catch (error) {
        if (!(error instanceof Death)) throw error;
      }
      return made();
    },
  };
}
