/**
 * Admission policies for the kind of a source, in the API server itself: no webhook to run. They refuse what can never be
 * right, in the words of `decide/validate.ts`; the controller checks the rest before it acts, and says so in the condition.
 *
 * | policy                      | asks about                 | refuses                                                     |
 * |-----------------------------|----------------------------|-------------------------------------------------------------|
 * | `outgrow-source-NAME`       | the resource alone         | other changes than sizes; no size; growing without a class  |
 * | `outgrow-source-NAME-class` | each StorageClass          | a larger size of a template whose class does not allow it   |
 * | `outgrow-source-NAME-set`   | each StatefulSet beside it | a size below the set's: going back that far is no recovery  |
 *
 * An update that leaves the sizes alone is not looked at, nor is the status. A policy that fails is ignored.
 */
import { NOT_POSITIVE } from "../../admission/claim-rules.ts";
import { API_VERSION, cel, named } from "../../admission/policies/policy.ts";
import { classOf } from "../../admission/policies/wish-variables.ts";
import { DEFAULT_CLASS_ANNOTATIONS } from "../../core/names.ts";
import type { ExpansionSource, ExpansionSourceSpec } from "../types.ts";
import { joined } from "./cel.ts";
import {
  aboutChangedSizes,
  aboutLists,
  aboutUnreadableSizes,
  isTouched,
  type SizePair,
  sizeOf,
} from "./sizes-in-cel.ts";
import { fixedTemplates } from "./templates-in-cel.ts";

/** Says which source a policy is made from: `kubectl delete validatingadmissionpolicies -l outgrow.dev/source=NAME`. */
export const SOURCE_LABEL = "outgrow.dev/source";

/**
 * Policies and bindings, as plain JSON to be applied; none for an operator that grows its volumes itself, which judges for
 * itself. Throws `PATH_MALFORMED` for a source that `checkSource` refuses.
 */
export function policiesForSource({ metadata, spec }: Pick<ExpansionSource, "metadata" | "spec">): readonly object[] {
  if (spec.grownBy === "Operator") return [];
  const name = `outgrow-source-${metadata.name}`;
  const common = { source: metadata.name, spec };
  const hasTemplates = spec.claimTemplatesPath !== undefined;
  return [
    ...policy({ ...common, name, refusals: onItsOwn(spec) }),
    ...(hasTemplates ? policy({ ...common, name: `${name}-class`, ...CLASSES, refusals: ofItsClass(spec) }) : []),
    ...(followsSets(spec) ? policy({ ...common, name: `${name}-set`, ...SETS, refusals: belowTheSet(spec) }) : []),
  ];
}

const CLASSES = { params: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" } };
/** Those of the resource's namespace, as no other is named. */
const SETS = { params: { apiVersion: "apps/v1", kind: "StatefulSet" } };

function followsSets({ statefulSetName, statefulSetSelector, claims = [] }: ExpansionSourceSpec): boolean {
  return [statefulSetName, statefulSetSelector, ...claims.map((each) => each.statefulSetName)].some(
    (each) => each !== undefined,
  );
}

interface PolicyParts {
  readonly name: string;
  readonly source: string;
  readonly spec: ExpansionSourceSpec;
  /** What it is asked about, one at a time, all there are. */
  readonly params?: { readonly apiVersion: string; readonly kind: string };
  /** An expression that gives all refusals in one text, empty when there is none. */
  readonly refusals: string;
}

function policy({ name, source, spec, params, refusals }: PolicyParts): readonly object[] {
  const { labels } = named(name);
  const metadata = { name, labels: { ...labels, [SOURCE_LABEL]: source } };
  const { group, version, plural } = spec.resource;
  const rule = { apiGroups: [group], apiVersions: [version], operations: ["UPDATE"], resources: [plural], scope: "*" };
  return [
    {
      apiVersion: API_VERSION,
      kind: "ValidatingAdmissionPolicy",
      metadata,
      spec: {
        ...(params && { paramKind: params }),
        // With what the server fills in: server-side apply takes these constraints as one value.
        matchConstraints: {
          resourceRules: [rule],
          matchPolicy: "Equivalent",
          namespaceSelector: {},
          objectSelector: {},
        },
        matchConditions: [{ name: "sizes-are-touched", expression: isTouched(spec) }],
        failurePolicy: "Ignore",
        variables: [{ name: "refusals", expression: refusals }],
        validations: [
          { expression: "variables.refusals == ''", messageExpression: "variables.refusals", reason: "Forbidden" },
        ],
      },
    },
    {
      apiVersion: API_VERSION,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: {
        policyName: name,
        ...(params && { paramRef: { selector: {}, parameterNotFoundAction: "Allow" } }),
        validationActions: ["Deny"],
      },
    },
  ];
}

function onItsOwn(spec: ExpansionSourceSpec): string {
  const notPositive = aboutChangedSizes(spec, ({ sent, field }) =>
    ifSo(
      `!quantity(${sent}).isGreaterThan(quantity('0'))`,
      `${field} + ': Invalid value: "' + ${sent} + '": ${NOT_POSITIVE}'`,
    ),
  );
  const refusals = spec.claimTemplatesPath === undefined ? [] : [aboutLists(spec, fixedTemplates), ofNoClass(spec)];
  return joined(`[${[...refusals, notPositive, aboutUnreadableSizes(spec)].join(", ")}]`);
}

function ofNoClass(spec: ExpansionSourceSpec): string {
  return aboutChangedSizes(spec, (size) =>
    ifSo(
      `${isLarger(size)} && ${classOf("template")}.orValue('any') == ''`,
      `${size.field} + ': Forbidden: template "' + ${size.template} + '" asks for volumes without a storage class; only claims of a class that allows expansion can grow'`,
    ),
  );
}

const IS_DEFAULT = DEFAULT_CLASS_ANNOTATIONS.map(
  (name) => `params.metadata.?annotations[?'${name}'].orValue('') == 'true'`,
).join(" || ");

/** Measured by what was asked for before: which size the set has is another object's business. */
function ofItsClass(spec: ExpansionSourceSpec): string {
  const isOfThisClass = `${classOf("template")}.orValue(${IS_DEFAULT} ? params.metadata.name : '') == params.metadata.name`;
  const refusals = aboutChangedSizes(spec, (size) =>
    ifSo(
      `${isLarger(size)} && ${isOfThisClass}`,
      `${size.field} + ': Forbidden: storage class "' + params.metadata.name + '" of template "' + ${size.template} + '" does not allow expansion; set allowVolumeExpansion: true on it'`,
    ),
  );
  return cel`
    params.?allowVolumeExpansion.orValue(false) ? '' :
    ${refusals}`;
}

function belowTheSet(spec: ExpansionSourceSpec): string {
  return aboutChangedSizes(spec, ({ sent, field, template, isFollower = "false" }) => {
    const inSet = `params.spec.?volumeClaimTemplates.orValue([]).filter(each, each.metadata.name == ${template}).map(each, ${sizeOf("each")})`;
    const isBelow = `isQuantity(has) && quantity(${sent}).isLessThan(quantity(has))`;
    const refusal = `${field} + ': Forbidden: storage can only grow: ' + ${sent} + ' is less than the ' + has + ' of StatefulSet "' + params.metadata.name + '"; ask for that or more'`;
    return ifSo(isFollower, `${inSet}.filter(has, ${isBelow}).map(has, ${refusal}).join(', ')`);
  });
}

function isLarger({ sent, stored }: SizePair): string {
  return `isQuantity(${stored}) && quantity(${sent}).isGreaterThan(quantity(${stored}))`;
}

function ifSo(condition: string, refusal: string): string {
  return `(${condition} ? ${refusal} : '')`;
}
