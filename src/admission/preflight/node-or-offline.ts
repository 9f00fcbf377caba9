import { type Check, type Finding, pass, someOf, warn } from "./check.ts";
import { abilityOf, driverOf } from "./drivers.ts";
import { type ClaimFacts, growing, type PreflightFacts } from "./facts.ts";

/**
 * The second half of growing happens on a node: kubelet grows the file system of a volume that a pod has mounted. Without
 * a pod it waits, for ever if need be. And some drivers grow a volume only while no pod uses it.
 */
export const nodeOrOffline: Check = {
  id: "node-or-offline",
  question: "Is each volume where its file system can be grown: mounted, or free where the driver needs that?",
  run: (facts) => {
    const claims = growing(facts);
    if (claims.length === 0) return [];
    if (claims.every(({ users }) => users === undefined)) {
      return [
        warn(
          "whether pods use the claims is not known: no pod was read",
          "let the plan read the pods, too (kubectl get pod)",
        ),
      ];
    }
    const findings = [...offline(claims, facts), ...idle(claims, facts), ...readOnly(claims)];
    return findings.length > 0 ? findings : [pass("every volume is where its file system can be grown")];
  },
};

/** The pods that must stop for their volumes to grow, because the driver grows only volumes that are not in use. */
export function podsToRestart(facts: PreflightFacts): readonly string[] {
  const pods = growing(facts)
    .filter((claim) => isOfflineOnly(claim, facts))
    .flatMap(({ users }) => users ?? []);
  return [...new Set(pods.map(({ pod }) => pod))];
}

function offline(claims: readonly ClaimFacts[], facts: PreflightFacts): Finding[] {
  const pods = podsToRestart(facts);
  const [claim] = claims.filter((each) => isOfflineOnly(each, facts));
  if (pods.length === 0 || claim === undefined) return [];
  return [
    warn(
      `${driverOf(claim, facts)} grows a volume only while no pod uses it; in use by ${someOf(pods)}`,
      "each of these pods must be stopped until its volumes have grown",
    ),
  ];
}

function idle(claims: readonly ClaimFacts[], facts: PreflightFacts): Finding[] {
  const waiting = claims.filter((claim) => claim.users?.length === 0 && hasNodeHalf(claim, facts));
  if (waiting.length === 0) return [];
  return [
    warn(
      `no pod uses ${someOf(waiting.map(({ view }) => view.name))}: the volume grows, the file system waits for a pod`,
      "nothing is lost by that; it is grown when a pod mounts it",
    ),
  ];
}

function readOnly(claims: readonly ClaimFacts[]): Finding[] {
  const held = claims.filter(({ users = [] }) => users.length > 0 && users.every((user) => user.readOnly));
  if (held.length === 0) return [];
  return [
    warn(
      `${someOf(held.map(({ view }) => view.name))} mounted read-only: kubelet does not grow such a file system`,
      "mount it writable once, for the file system to grow",
    ),
  ];
}

function isOfflineOnly(claim: ClaimFacts, facts: PreflightFacts): boolean {
  const ability = abilityOf(claim, facts);
  return ability.kind === "can" && ability.online === false;
}

/** Not known counts as yes: nearly all drivers of file systems have one. */
function hasNodeHalf(claim: ClaimFacts, facts: PreflightFacts): boolean {
  const ability = abilityOf(claim, facts);
  return ability.kind === "can" ? ability.node : claim.view.volumeMode === "Filesystem";
}
