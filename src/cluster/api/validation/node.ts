/** Nodes, as far as people write them (upstream pkg/apis/core/validation). */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../../admission/verdict.ts";
import { labelKeyErrors, labelValueErrors } from "../selectors/label-syntax.ts";
import { keyOfParts, repeated } from "./repeated.ts";

interface Taint {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
}

export interface NodeToCheck {
  readonly spec?: {
    readonly taints?: readonly Taint[];
    readonly providerID?: string;
    readonly podCIDRs?: readonly string[];
  };
}

/** What a taint does to pods that do not put up with it. */
export const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Taints are told of as if they stood in the metadata: so it is upstream. */
export function validateNode({ spec = {} }: NodeToCheck): FieldError[] {
  const taints = spec.taints ?? [];
  const again = repeated(taints, ({ key, effect }) => keyOfParts(key, effect));
  return taints.flatMap((taint, index) => [
    ...checkTaint(taint, `metadata.taints[${index}]`),
    ...(again.has(index)
      ? [
          {
            ...duplicate(`metadata.taints[${index}]`, shown(taint)),
            detail: "taints must be unique by key and effect pair",
          },
        ]
      : []),
  ]);
}

export function validateNodeUpdate(old: NodeToCheck, next: NodeToCheck): FieldError[] {
  const [before, after] = [old.spec ?? {}, next.spec ?? {}];
  const cidrs = before.podCIDRs ?? [];
  const isAssigned = (before.providerID ?? "") !== "";
  return [
    ...(cidrs.length > 0 && cidrs.join() !== (after.podCIDRs ?? []).join()
      ? [forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid')]
      : []),
    ...(isAssigned && before.providerID !== after.providerID
      ? [forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid')]
      : []),
    ...validateNode(next),
  ];
}

function checkTaint({ key = "", value = "", effect = "" }: Taint, path: string): FieldError[] {
  const problems = labelValueErrors(value);
  return [
    ...labelKeyErrors(key).map((problem) => invalid(`${path}.key`, key, problem)),
    ...(problems.length === 0 ? [] : [invalid(`${path}.value`, value, problems.join(";"))]),
    ...(effect === ""
      ? [required(`${path}.effect`)]
      : EFFECTS.includes(effect)
        ? []
        : [notSupported(`${path}.effect`, effect, EFFECTS)]),
  ];
}

/** As the server holds it. */
function shown({ key = "", value = "", effect = "", timeAdded }: Taint): object {
  return { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null };
}
