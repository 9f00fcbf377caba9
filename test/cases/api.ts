/**
 * The API server's share of a play: one claim, its volume and one quota, behind the real admission rules. Quota is booked
 * by admission and computed anew after every write, as the quota controller does.
 */
import { admitClaimUpdate } from "../../src/admission/claim-admission.ts";
import { prepareClaimStatusUpdate, validateClaimStatusUpdate } from "../../src/admission/claim-status-update.ts";
import { chargeQuotas, recomputeQuota } from "../../src/admission/quota.ts";
import { storageClasses } from "../../src/admission/storage-classes.ts";
import { fieldErrorText, refusalText } from "../../src/admission/verdict.ts";
import { applyClaimChange, type ClaimChange } from "../../src/core/claim-change.ts";
import { type Dialect, TODAY } from "../../src/core/dialect.ts";
import { DEFAULT_GATES, type Gates } from "../../src/core/gates.ts";
import { Quantity } from "../../src/core/quantity.ts";
import type { PersistentVolume, PersistentVolumeClaim, ResourceQuota } from "../../src/core/types.ts";

const REQUESTS = "requests.storage";
export const DRIVER = "csi.example.com";

export interface ApiOptions {
  readonly dialect: Dialect;
  /** The claim's size at the beginning. */
  readonly size: string;
  /** What the quota allows. */
  readonly hard: string;
  readonly accessModes: string[];
  /** A server from before the recovery fields: it drops them without a word. */
  readonly dropsFields: boolean;
}

export class Api {
  claim: PersistentVolumeClaim;
  volume: PersistentVolume;
  gates: Gates = DEFAULT_GATES;
  /** Every claim that was ever stored, oldest first. */
  readonly history: PersistentVolumeClaim[] = [];
  readonly #options: ApiOptions;
  #quota: ResourceQuota;
  #minute = 0;

  constructor(options: ApiOptions) {
    const { size, hard, accessModes } = options;
    this.#options = options;
    this.claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "prod", uid: "claim-1", resourceVersion: "1" },
      spec: { accessModes, storageClassName: "fast", volumeName: "pv-1", resources: { requests: { storage: size } } },
      status: { phase: "Bound", capacity: { storage: size } },
    };
    this.volume = {
      metadata: { name: "pv-1" },
      spec: {
        capacity: { storage: size },
        claimRef: { namespace: "prod", name: "data", uid: "claim-1" },
        csi: { driver: DRIVER, volumeHandle: "vol-1" },
      },
    };
    const quota = { metadata: { name: "storage", namespace: "prod" }, spec: { hard: { [REQUESTS]: hard } } };
    this.#quota = recomputeQuota(quota, [this.claim], this.gates);
    this.history.push(this.claim);
  }

  /** This moment. It moves with every write, and when somebody lets time pass. */
  get now(): number {
    return Date.UTC(2026, 10, 15, 12, this.#minute);
  }

  minutesPass(minutes: number): void {
    this.#minute += minutes;
  }

  /** What the quota says is used. */
  get used(): Quantity {
    return Quantity.parse(this.#quota.status?.used?.[REQUESTS] ?? "0");
  }

  /** "cluster admins can re-create ResourceQuota objects so as quota controller can recompute the quota" */
  recreateQuota(): void {
    this.#quota = recomputeQuota(this.#quota, [this.claim], this.gates);
  }

  /** An edit of the request, as a user sends it; what the server says when it refuses. */
  edit(size: string): string | undefined {
    const sent = { ...this.claim, spec: { ...this.claim.spec, resources: { requests: { storage: size } } } };
    const fast = { metadata: { name: "fast" }, provisioner: DRIVER, allowVolumeExpansion: true };
    const admission = admitClaimUpdate(this.claim, sent, {
      gates: this.gates,
      classes: storageClasses([fast]),
      limitRanges: [],
      quotas: [this.#quota],
    });
    if (admission.kind === "refused") return refusalText(admission.refusal);
    this.#store(admission.claim, admission.quotas);
    return undefined;
  }

  /** A patch of the status. One that changes nothing is not sent. */
  patchStatus(change: ClaimChange): void {
    const { dialect, dropsFields } = this.#options;
    const sent = applyClaimChange(this.claim, change, dialect, this.now);
    if (sent === this.claim) return;
    const gates = dropsFields ? { RecoverExpansionFailure: false } : this.gates;
    const next = prepareClaimStatusUpdate(this.claim, sent, gates);
    // The rule knows today's words only; older servers had older ones.
    const errors = dialect === TODAY ? validateClaimStatusUpdate(this.claim, next, gates) : [];
    if (errors.length > 0) throw new Error(errors.map(fieldErrorText).join());
    const answer = chargeQuotas({ old: this.claim, next, subresource: "status" }, [this.#quota], this.gates);
    if (answer.kind === "refused") throw new Error(answer.reason);
    this.#store(next, answer.quotas);
  }

  patchVolume(capacity: Quantity): void {
    this.volume = { ...this.volume, spec: { ...this.volume.spec, capacity: { storage: capacity.toString() } } };
  }

  #store(claim: PersistentVolumeClaim, [booked]: readonly ResourceQuota[]): void {
    const resourceVersion = String(Number(this.claim.metadata.resourceVersion) + 1);
    this.claim = { ...claim, metadata: { ...claim.metadata, resourceVersion } };
    this.history.push(this.claim);
    this.#minute++;
    this.#quota = recomputeQuota(booked ?? this.#quota, [this.claim], this.gates);
  }
}
