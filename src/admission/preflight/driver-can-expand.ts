import { type Check, type Finding, pass, refuse, someOf, warn } from "./check.ts";
import { abilityOf, driverOf } from "./drivers.ts";
import { type ClaimFacts, growing, type PreflightFacts } from "./facts.ts";

/** A class may promise what its driver cannot keep: then the claim asks for more, and nobody ever comes. */
export const driverCanExpand: Check = {
  id: "driver-can-expand",
  question: "Is there a driver that grows these volumes?",
  run: (facts) => {
    const byDriver = Map.groupBy(
      growing(facts),
      (claim) => `${driverOf(claim, facts)} ${abilityOf(claim, facts).kind}`,
    );
    return [...byDriver.values()].flatMap((claims) => judge(claims, facts));
  },
};

/** `claims` have the same driver, and the same is known about all of them. */
function judge(claims: readonly ClaimFacts[], facts: PreflightFacts): Finding[] {
  const [first] = claims;
  if (first === undefined) return [];
  const driver = driverOf(first, facts);
  const ability = abilityOf(first, facts);
  const names = someOf(claims.map(({ view }) => view.name));
  if (driver === "") {
    return [
      warn(
        `which driver grows ${names} is not known`,
        "let the plan read the volumes and storage classes, too (kubectl get pv,sc)",
      ),
    ];
  }
  if (ability.kind === "cannot") {
    return [
      refuse(
        `${driver} does not grow volumes: ${ability.reason} (${names})`,
        "move the data to claims of a class whose driver can",
      ),
    ];
  }
  if (facts.drivers !== undefined && !facts.drivers.has(driver)) {
    return [
      warn(
        `no CSIDriver "${driver}" is registered; if the driver is not installed, the claims wait for ever`,
        "install the driver, with its resizer",
      ),
    ];
  }
  if (ability.kind === "unknown") {
    return [
      warn(
        `whether ${driver} grows volumes is not known: only the driver itself tells`,
        "see its documentation; a resizer must run beside its controller",
      ),
    ];
  }
  return [
    pass(ability.online === true ? `${driver} grows volumes, also while they are in use` : `${driver} grows volumes`),
  ];
}
