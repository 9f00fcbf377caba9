/**
 * Volumes that are about to be bound: several claims are worked on at the same time, and no two should go for the same
 * one.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../../core/types.ts";

export interface Reservations {
  /** Whether the claim may go for it. */
  isOpen(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean;
  /** Until the returned function is called, nobody else goes for it. */
  reserve(volume: PersistentVolume, claim: PersistentVolumeClaim): () => void;
}

export function createReservations(): Reservations {
  const takers = new Map<string, string | undefined>();
  return {
    isOpen({ metadata }, claim) {
      return !takers.has(metadata.name) || takers.get(metadata.name) === claim.metadata.uid;
    },
    reserve({ metadata }, claim) {
      takers.set(metadata.name, claim.metadata.uid);
      return () => void takers.delete(metadata.name);
    },
  };
}
