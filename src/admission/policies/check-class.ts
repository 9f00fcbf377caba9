/**
 * ValidatingAdmissionPolicy `outgrow-check-class`: a template is newly wished larger than it is, and its storage class does not allow that.
 * It is asked once per storage class of the cluster, and speaks of that one.
 *
 * Not seen from here, and left to the controller: a class that does not exist, and a cluster without a default one. Of several default
 * classes each must allow it. A policy that fails is ignored: the controller checks the same before it does anything.
 */
import { DEFAULT_CLASS_ANNOTATIONS, WISH_ANNOTATION } from "../../core/names.ts";
import { API_VERSION, brings, cel, NOT_THE_CONTROLLER, named, STATEFUL_SET_UPDATES } from "./policy.ts";
import { classOf, GROWING, SIZE_FORBIDDEN, wishVariables } from "./wish-variables.ts";

const NAME = "outgrow-check-class";

const isDefault = DEFAULT_CLASS_ANNOTATIONS.map(
  (name) => `params.metadata.?annotations[?'${name}'].orValue('') == 'true'`,
).join(" || ");

export const CHECK_CLASS = {
  apiVersion: API_VERSION,
  kind: "ValidatingAdmissionPolicy",
  metadata: named(NAME),
  spec: {
    paramKind: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" },
    matchConstraints: STATEFUL_SET_UPDATES,
    matchConditions: [NOT_THE_CONTROLLER, { name: "brings-a-wish", expression: brings(WISH_ANNOTATION) }],
    failurePolicy: "Ignore",
    variables: [
      ...wishVariables("stored"),
      ...wishVariables("sent"),
      ...GROWING,
      {
        name: "ofThisClass",
        expression: cel`
          variables.growing.filter(i,
            ${classOf("variables.templates[i]")}.orValue(${isDefault} ? params.metadata.name : '') == params.metadata.name)`,
      },
    ],
    validations: [
      {
        expression: "params.?allowVolumeExpansion.orValue(false) || variables.ofThisClass.size() == 0",
        messageExpression: cel`
          variables.ofThisClass.map(i, ${SIZE_FORBIDDEN}
            + 'storage class "' + params.metadata.name + '" of template "' + variables.names[i]
            + '" does not allow expansion; set allowVolumeExpansion: true on it').join(', ')`,
        reason: "Forbidden",
      },
    ],
  },
};

export const CHECK_CLASS_BINDING = {
  apiVersion: API_VERSION,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: named(NAME),
  spec: {
    policyName: NAME,
    paramRef: { selector: {}, parameterNotFoundAction: "Allow" },
    validationActions: ["Deny"],
  },
};
