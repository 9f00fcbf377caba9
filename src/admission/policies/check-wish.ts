/**
 * ValidatingAdmissionPolicy `outgrow-check-wish`: validateWish (../wish-update.ts) in CEL, as far as it needs nothing but the set. It looks at a
 * wish only when the request brings it, so that a bad one which is stored is in nobody's way; removing it is always fine.
 * A policy that fails is ignored: the controller checks the same before it does anything.
 */
import { REFUSED_ANNOTATION, WISH_ANNOTATION } from "../../core/names.ts";
import { API_VERSION, brings, cel, NOT_THE_CONTROLLER, named, STATEFUL_SET_UPDATES } from "./policy.ts";
import {
  classOf,
  GROWING,
  isPositiveSize,
  isTemplateAndSize,
  SIZE_FORBIDDEN,
  wishVariables,
} from "./wish-variables.ts";

const NAME = "outgrow-check-wish";
const FIELD = `metadata.annotations[${WISH_ANNOTATION}]: Invalid value: `;
const WAY_OUT = "; write TEMPLATE=SIZE, several separated by commas, for example data=200Gi,wal=20Gi";

/** Refused with a message about the first entry that fails; `entry` has been cut at the signs. */
function everyEntry(holds: string, problem: string): object {
  return {
    expression: `variables.sentEntries.all(entry, ${holds})`,
    messageExpression: cel`
      variables.sentEntries.filter(entry, !(${holds})).map(entry,
        '${FIELD}' + strings.quote(variables.sentText) + ': ' + strings.quote(entry.join('=')) + ${problem} + '${WAY_OUT}')[0]`,
    reason: "Forbidden",
  };
}

const SIZE_IS_READABLE = `!(${isTemplateAndSize("entry")}) || isQuantity(entry[1])`;
const SIZE_IS_POSITIVE = `!(${isTemplateAndSize("entry")} && isQuantity(entry[1])) || (${isPositiveSize("entry[1]")})`;
const TEMPLATE_IS_NAMED_ONCE = "variables.sentEntries.filter(other, other[0] == entry[0]).size() == 1";

export const CHECK_WISH = {
  apiVersion: API_VERSION,
  kind: "ValidatingAdmissionPolicy",
  metadata: named(NAME),
  spec: {
    matchConstraints: STATEFUL_SET_UPDATES,
    matchConditions: [
      NOT_THE_CONTROLLER,
      { name: "brings-a-wish", expression: `${brings(WISH_ANNOTATION)} || ${brings(REFUSED_ANNOTATION)}` },
    ],
    failurePolicy: "Ignore",
    variables: [
      ...wishVariables("stored"),
      ...wishVariables("sent"),
      ...GROWING,
      {
        name: "unknown",
        expression: "variables.sentEntries.filter(entry, !(entry[0] in variables.names)).map(entry, entry[0])",
      },
      {
        name: "withoutClass",
        expression: `variables.growing.filter(i, ${classOf("variables.templates[i]")}.orValue('any') == '')`,
      },
    ],
    validations: [
      {
        expression: `!${brings(REFUSED_ANNOTATION)}`,
        messageExpression: `string(object.metadata.annotations['${REFUSED_ANNOTATION}'])`,
        reason: "Forbidden",
      },
      everyEntry(isTemplateAndSize("entry"), "' is not a template and its size'"),
      everyEntry(SIZE_IS_READABLE, "': ' + strings.quote(entry[1]) + ' is not a size'"),
      everyEntry(SIZE_IS_POSITIVE, "': a size must be more than zero'"),
      everyEntry(TEMPLATE_IS_NAMED_ONCE, "': template ' + strings.quote(entry[0]) + ' is named twice'"),
      {
        expression: "variables.unknown.size() == 0",
        messageExpression: cel`
          '${FIELD}' + strings.quote(variables.sentText) + ': the set has no claim template ' + strings.quote(variables.unknown[0])
          + (variables.names.size() == 0 ? '; it has no claim templates' : '; it has ' + variables.names.join(', '))`,
        reason: "Forbidden",
      },
      {
        expression: "variables.withoutClass.size() == 0",
        messageExpression: cel`
          variables.withoutClass.map(i, ${SIZE_FORBIDDEN} + 'template "' + variables.names[i]
            + '" asks for volumes without a storage class; only claims of a class that allows expansion can grow').join(', ')`,
        reason: "Forbidden",
      },
    ],
  },
};

export const CHECK_WISH_BINDING = {
  apiVersion: API_VERSION,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: named(NAME),
  spec: { policyName: NAME, validationActions: ["Deny"] },
};
