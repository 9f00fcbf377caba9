/** Telling people about claims and volumes: what stays as it was is not told again each time that somebody looks. */
import type { KubeObject, PersistentVolume, PersistentVolumeClaim } from "../../../../core/types.ts";
import { CLAIMS, type EventRecorder, type Resource, referenceTo, VOLUMES } from "../../../../kube/index.ts";
import type { News } from "../decide/news.ts";

export interface Teller {
  /** Tells it, unless it was the last that was told about this claim. */
  claim(claim: PersistentVolumeClaim, news: News): void;
  /** The same about a volume. */
  volume(volume: PersistentVolume, news: News): void;
  /** The object is settled or gone: whatever is told about it next is news. */
  forget(object: KubeObject): void;
}

export function createTeller(recorder: Pick<EventRecorder, "event">): Teller {
  const told = new Map<string, string>();
  const tell = (resource: Resource, object: KubeObject, { type, reason, message }: News): void => {
    const { uid = "" } = object.metadata;
    const text = `${reason} ${message}`;
    if (told.get(uid) === text) return;
    told.set(uid, text);
    recorder.event(referenceTo(resource, object), type, reason, message);
  };
  return {
    claim: (claim, news) => tell(CLAIMS, claim, news),
    volume: (volume, news) => tell(VOLUMES, volume, news),
    forget: ({ metadata }) => void told.delete(metadata.uid ?? ""),
  };
}
