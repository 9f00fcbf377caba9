/** How a request ends that a policy denies, in Kubernetes' words. */
import type { AdmissionRequest } from "../admission/plugin.ts";
import { forbid } from "../admission/request.ts";
import { StatusError } from "../status-error.ts";

export interface Denial {
  readonly policy: string;
  /** Undefined: something is wrong with the policy itself. */
  readonly binding: string | undefined;
  readonly message: string;
  /** Empty: as the type of the policy has it. */
  readonly reason: string;
}

const CODES: ReadonlyMap<string, number> = new Map([
  ["Forbidden", 403],
  ["Unauthorized", 401],
  ["RequestEntityTooLarge", 413],
]);

/** The first of all that a validating policy had to say; 422 unless it gave another reason. */
export function deniedByValidation(request: AdmissionRequest, denial: Denial): StatusError {
  const { policy, binding, reason: given } = denial;
  const by = `ValidatingAdmissionPolicy '${policy}'${binding === undefined ? "" : ` with binding '${binding}'`}`;
  const message = `${by} denied request: ${denial.message}`;
  const refused = forbid(request, message, [{ message }]);
  const reason = given || "Invalid";
  return new StatusError(CODES.get(reason) ?? 422, reason, refused.message, refused.causes, refused.about);
}

/** All that kept mutating policies from doing their work; 403, whatever the reason. */
export function deniedByMutation(request: AdmissionRequest, denials: readonly [Denial, ...Denial[]]): StatusError {
  const causes = denials.map((denial) => ({ message: mutationText(denial) }));
  const { about } = forbid(request, "");
  const [first] = denials;
  return new StatusError(403, first.reason || "Forbidden", mutationText(first), causes, about);
}

function mutationText({ policy, binding, message }: Denial): string {
  const by =
    binding === undefined ? `policy ${JSON.stringify(policy)}` : `policy '${policy}' with binding '${binding}'`;
  return `${by} denied request: ${message}`;
}
