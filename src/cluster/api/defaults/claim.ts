/** Defaults of claims, wherever they stand. */
import { always, fields, whenEmpty, whenMissing } from "./rule.ts";

/** `spec` of a claim, or of a template in a pod's own volume. */
export const CLAIM_SPEC = always({ volumeMode: whenMissing("Filesystem") });

export const CLAIM = fields({
  spec: CLAIM_SPEC,
  status: always({ phase: whenEmpty("Pending") }),
});
