/** The last plugin of all: is there room? (Upstream apiserver/pkg/admission/plugin/resourcequota.) */
import type { Clock } from "../../../../core/clock.ts";
import type { Gates } from "../../../../core/gates.ts";
import type { AdmissionPlugin } from "../plugin.ts";
import { forbid } from "../request.ts";
import { bookingOf } from "./bookings.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Charges what is about to be stored to the quotas of its namespace. It comes last, so that nothing is charged that another
 * plugin refuses. Only what a quota says in `status.hard` counts: the quota controller puts it there with the usage.
 */
export function resourceQuota(ledger: Ledger, gates: Gates, clock: Clock): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    validate(request) {
      const { namespace, dryRun } = request;
      if (namespace === undefined || !ledger.limits(namespace)) return undefined;
      const booking = bookingOf(request, { gates, now: clock.now() });
      if (booking === undefined) return undefined;
      return ledger.charge({ namespace, booking, dryRun, refuse: (reason) => forbid(request, reason) });
    },
  };
}
