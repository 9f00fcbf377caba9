/** Facts for the tests of preflight: a growth that everybody is content with, told by what differs from it. */
import { readClaim } from "../../core/claim.ts";
import { DEFAULT_GATES } from "../../core/gates.ts";
import { Quantity } from "../../core/quantity.ts";
import type { PersistentVolume } from "../../core/types.ts";
import { aClaim, aClass, type ClaimTraits } from "../fixtures.ts";
import { storageClasses } from "../storage-classes.ts";
import type { CheckId } from "./check.ts";
import type { ClaimFacts, PreflightFacts, SetFacts } from "./facts.ts";
import { preflight } from "./preflight.ts";

/** A volume of a driver that grows volumes in use. */
export function aVolume(spec: Partial<PersistentVolume["spec"]> = {}): PersistentVolume {
  return { metadata: { name: "pv-1" }, spec: { csi: { driver: "ebs.csi.aws.com", volumeHandle: "vol-1" }, ...spec } };
}

/** A claim that grows from 100Gi to 200Gi under the eyes of its pod. */
export function claimFacts(facts: Partial<ClaimFacts> = {}, traits: ClaimTraits = {}): ClaimFacts {
  const object = aClaim({ name: "data-db-0", request: "100Gi", capacity: "100Gi", ...traits });
  return {
    object,
    view: readClaim(object),
    to: Quantity.parse("200Gi"),
    step: "grow",
    stuck: undefined,
    volume: aVolume(),
    users: [{ pod: "db-0", readOnly: false }],
    ...facts,
  };
}

/** A set that is re-created to bring its template from 100Gi to 200Gi. */
export function setFacts(facts: Partial<SetFacts> = {}): SetFacts {
  return {
    name: "db",
    retention: undefined,
    sizes: [{ template: "data", now: Quantity.parse("100Gi"), desired: Quantity.parse("200Gi") }],
    way: "re-create",
    holds: [],
    owner: undefined,
    evenIfOwned: false,
    ...facts,
  };
}

export function someFacts(facts: Partial<PreflightFacts> = {}): PreflightFacts {
  return {
    claims: [claimFacts()],
    set: setFacts(),
    memberOf: undefined,
    classes: storageClasses([aClass("fast", { provisioner: "ebs.csi.aws.com" })]),
    drivers: new Set(["ebs.csi.aws.com"]),
    quotas: [],
    limitRanges: [],
    gates: DEFAULT_GATES,
    ...facts,
  };
}

/** By check, what it finds in facts that differ from the usual. */
export type Cases = Readonly<
  Partial<Record<CheckId, readonly [behaviour: string, facts: Partial<PreflightFacts>, findings: string[]][]>>
>;

export function casesById(cases: Cases) {
  return Object.entries(cases) as [CheckId, NonNullable<Cases[CheckId]>][];
}

/** What one check finds, as `outcome: message → way out`. */
export function found(id: CheckId, facts: Partial<PreflightFacts>): string[] {
  return preflight(someFacts(facts))
    .filter((result) => result.id === id)
    .map(({ outcome, message, wayOut }) => `${outcome}: ${message}${wayOut === undefined ? "" : ` → ${wayOut}`}`);
}
