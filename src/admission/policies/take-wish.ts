/**
 * MutatingAdmissionPolicy `outgrow-take-wish`: captureWish (../wish-capture.ts) in CEL. When nothing but sizes differs in the
 * templates of an update, the stored templates are put back and the sizes become the wish.
 *
 * A policy that fails is ignored: the request then meets Kubernetes' own answer to an edit of the templates, and a request
 * that does not touch them is not held up. It may be called again in one request, and finds nothing to do the second time.
 */
import { REFUSED_ANNOTATION, WISH_ANNOTATION } from "../../core/names.ts";
import {
  API_VERSION,
  cel,
  NOT_OWNED,
  NOT_THE_CONTROLLER,
  named,
  STATEFUL_SET_UPDATES,
  TEMPLATES_DIFFER,
  type Variable,
} from "./policy.ts";
import { SIZE_FORBIDDEN, sizeOf, wishesFor, wishVariables } from "./wish-variables.ts";

const NAME = "outgrow-take-wish";

/** Both lists of templates, and whether they differ in nothing but sizes; where they do, by their place in the list. */
const TEMPLATES: readonly Variable[] = [
  { name: "stored", expression: "oldObject.spec.?volumeClaimTemplates.orValue([])" },
  { name: "sent", expression: "object.spec.?volumeClaimTemplates.orValue([])" },
  {
    name: "onlySizesDiffer",
    expression: cel`
      variables.sent.size() == variables.stored.size()
      && lists.range(variables.sent.size()).all(i,
        [[variables.sent[i], variables.stored[i]]].all(pair,
          ${sameBut("spec", "dyn(pair[0])", "dyn(pair[1])")}
          && ${sameBut("resources", "dyn(pair[0].spec)", "dyn(pair[1].spec)")}
          && ${sameAmounts("requests", "pair[0]", "pair[1]")}
          && ${sameAmounts("limits", "pair[0]", "pair[1]")}))`,
  },
  { name: "names", expression: "variables.sent.map(template, template.metadata.name)" },
  { name: "storedSizes", expression: `variables.stored.map(template, ${sizeOf("template")})` },
  { name: "sentSizes", expression: `variables.sent.map(template, ${sizeOf("template")})` },
  {
    name: "changed",
    expression: cel`
      !variables.onlySizesDiffer ? [] : lists.range(variables.sent.size()).filter(i,
        quantity(variables.sentSizes[i]).compareTo(quantity(variables.storedSizes[i])) != 0)`,
  },
];

/** Sizes that go below the template although no wish for it stands. */
const TOO_SMALL: readonly Variable[] = [
  {
    name: "tooSmall",
    expression: cel`
      variables.changed.filter(i,
        quantity(variables.sentSizes[i]).isLessThan(quantity(variables.storedSizes[i]))
        && !(variables.names[i] in variables.storedWish))`,
  },
  {
    name: "refusal",
    expression: cel`
      variables.tooSmall.map(i, ${SIZE_FORBIDDEN}
        + 'template "' + variables.names[i] + '" has ' + variables.storedSizes[i]
        + ', and volumes do not shrink to ' + variables.sentSizes[i]
        + '; put ' + variables.storedSizes[i] + ' back, or, where an expansion to ' + variables.storedSizes[i]
        + ' failed, see: outgrow recover sts/' + object.metadata.name).join(', ')`,
  },
];

/** The text of the wish after the request. It stays as it is when it says that already, and when it is new and unreadable. */
const WISH: readonly Variable[] = [
  {
    name: "sizes",
    expression: "variables.changed.transformMapEntry(n, i, {variables.names[i]: variables.sentSizes[i]})",
  },
  {
    name: "keepsText",
    expression: cel`
      variables.sizes.all(template, ${wishesFor("variables.sentWish", "template", "variables.sizes[template]")})
      || (!variables.sentReadable && variables.sentText != variables.storedText)`,
  },
  {
    name: "wish",
    expression: cel`
      variables.keepsText ? variables.sentText :
      ((variables.sentReadable ? variables.sentEntries : []).map(entry,
        entry[0] + '=' + (entry[0] in variables.sizes ? variables.sizes[entry[0]] : entry[1]))
      + variables.changed.filter(i, !(variables.names[i] in variables.sentWish)).map(i,
        variables.names[i] + '=' + variables.sentSizes[i])).join(',')`,
  },
];

const annotate = (name: string, value: string): string =>
  `JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('${name}'), value: ${value}}`;

export const TAKE_WISH = {
  apiVersion: API_VERSION,
  kind: "MutatingAdmissionPolicy",
  metadata: named(NAME),
  spec: {
    matchConstraints: STATEFUL_SET_UPDATES,
    matchConditions: [NOT_THE_CONTROLLER, NOT_OWNED, TEMPLATES_DIFFER],
    failurePolicy: "Ignore",
    reinvocationPolicy: "IfNeeded",
    variables: [...TEMPLATES, ...wishVariables("stored"), ...wishVariables("sent"), ...TOO_SMALL, ...WISH],
    mutations: [
      {
        patchType: "JSONPatch",
        jsonPatch: {
          expression: cel`
            variables.changed.size() == 0 ? [] :
            [JSONPatch{op: 'replace', path: '/spec/volumeClaimTemplates', value: oldObject.spec.volumeClaimTemplates}]
            + (has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}])
            + [variables.refusal == ''
              ? ${annotate(WISH_ANNOTATION, "variables.wish")}
              : ${annotate(REFUSED_ANNOTATION, "variables.refusal")}]`,
        },
      },
    ],
  },
};

export const TAKE_WISH_BINDING = {
  apiVersion: API_VERSION,
  kind: "MutatingAdmissionPolicyBinding",
  metadata: named(NAME),
  spec: { policyName: NAME },
};

/** Two objects have the same fields, and the same in all of them but one: also in fields that came after this was written. */
function sameBut(but: string, a: string, b: string): string {
  return `${a}.size() == ${b}.size() && ${a}.all(field, field in ${b} && (field == '${but}' || ${a}[field] == ${b}[field]))`;
}

/** Both templates name the same resources, with the same amounts; the size itself is not compared. */
function sameAmounts(list: "requests" | "limits", a: string, b: string): string {
  const [left, right] = [a, b].map((template) => `${template}.spec.?resources.?${list}.orValue({})`) as [
    string,
    string,
  ];
  const isSize = list === "requests" ? "name == 'storage' || " : "";
  const equal = `quantity(string(${left}[name])).compareTo(quantity(string(${right}[name]))) == 0`;
  return `${left}.size() == ${right}.size() && ${left}.all(name, name in ${right} && (${isSize}${equal}))`;
}
