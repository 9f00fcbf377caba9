/**
 * The definition of `ExpansionSource`, as a cluster is told of it. Texts and lists have limits, so that the server can tell what
 * evaluating their rules may cost.
 */
import { choice, conditions, definitionOf, ROLLOUT, type Schema } from "../../statefulset/install/schema.ts";
import {
  FILLABLE,
  IS_PATH,
  NAMES_A_SET,
  ONE_FOLLOWER,
  ONE_LIST,
  type Rule,
  SELECTS_OWN,
  SPEC_RULES,
} from "./rules-in-cel.ts";

const ruled = (schema: Schema, ...rules: (readonly Rule[])[]): Schema => ({
  ...schema,
  "x-kubernetes-validations": rules.flat(),
});

const path = (description: string, ...rules: (readonly Rule[])[]): Schema =>
  ruled({ type: "string", minLength: 1, maxLength: 512, description }, IS_PATH, ...rules);

const name = (description: string, ...rules: (readonly Rule[])[]): Schema =>
  ruled({ type: "string", minLength: 1, maxLength: 253, description }, ...rules);

const LABEL_VALUE: Schema = ruled({ type: "string", maxLength: 128 }, FILLABLE);

const selector = (description: string): Schema =>
  ruled(
    {
      type: "object",
      description,
      properties: {
        matchLabels: { type: "object", maxProperties: 16, additionalProperties: LABEL_VALUE },
        matchExpressions: {
          type: "array",
          maxItems: 16,
          items: {
            type: "object",
            required: ["key", "operator"],
            properties: {
              key: { type: "string", maxLength: 317 },
              operator: { type: "string", enum: ["In", "NotIn", "Exists", "DoesNotExist"] },
              values: { type: "array", maxItems: 16, items: LABEL_VALUE },
            },
          },
        },
      },
    },
    SELECTS_OWN,
  );

const RESOURCE: Schema = {
  type: "object",
  description: "The kind of custom resource that has the sizes.",
  required: ["group", "version", "kind", "plural"],
  properties: {
    group: ruled(
      {
        type: "string",
        maxLength: 253,
        pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$",
        description: "Its API group, for example moco.cybozu.com.",
      },
      [{ rule: "self != 'outgrow.dev'", message: "these kinds are Outgrow's own" }],
    ),
    version: {
      type: "string",
      maxLength: 63,
      pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
      description: "For example v1beta2.",
    },
    kind: {
      type: "string",
      maxLength: 63,
      pattern: "^[A-Za-z][A-Za-z0-9]*$",
      description: "For example MySQLCluster.",
    },
    plural: {
      type: "string",
      maxLength: 63,
      pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
      description: "As kubectl api-resources lists it: mysqlclusters.",
    },
  },
};

const CLAIMS: Schema = {
  type: "array",
  minItems: 1,
  maxItems: 16,
  description: "Sizes that stand alone. A template that is named twice takes the first place that is given.",
  items: ruled(
    {
      type: "object",
      required: ["template", "path"],
      properties: {
        template: name(
          "The claim template of the set; by label, only a name for people. May have placeholders.",
          FILLABLE,
        ),
        path: path("Where the size stands: .spec.storage.size.", ONE_LIST),
        statefulSetName: name("The set that has the template, where it is not the source's.", NAMES_A_SET),
        claimSelector: selector("The claims that have this size, where there is no set."),
      },
    },
    ONE_FOLLOWER,
  ),
};

const SPEC: Schema = ruled(
  {
    type: "object",
    required: ["resource"],
    properties: {
      resource: RESOURCE,
      claimTemplatesPath: path(
        "Where a list in the shape of volumeClaimTemplates stands: .spec.volumeClaimTemplates.",
        ONE_LIST,
      ),
      claims: CLAIMS,
      statefulSetName: name(
        "The set that follows: moco-{name}. Also {namespace} and, with [*], {item.FIELD}.",
        NAMES_A_SET,
      ),
      statefulSetSelector: selector("Every set of the resource's namespace with these labels follows."),
      claimSelector: selector("For operators without StatefulSets: the claims that follow."),
      condition: { type: "string", minLength: 1, maxLength: 316, description: "The type of the condition to report." },
      conditionsPath: path("Where conditions stand; .status.conditions unless said otherwise."),
      paused: {
        type: "object",
        required: ["path"],
        description: "While this is so, nothing new is done.",
        properties: {
          path: path('Where the operator is told to pause: .metadata.annotations["example.com/paused"].'),
          equals: {
            type: "string",
            maxLength: 253,
            description: "What stands there then; left out: anything but false.",
          },
        },
      },
      grownBy: choice("Operator: it grows its volumes itself; they are watched and reported.", "Outgrow", "Operator"),
      recreatedBy: choice(
        "Who creates a set again that was deleted to change its template; an operator has a minute to do so.",
        "Outgrow",
        "Operator",
      ),
      rollout: ROLLOUT,
      restartPods: choice("What records get that nobody has written yet.", "Never", "WhenNeeded"),
    },
  },
  SPEC_RULES,
);

const STATUS: Schema = {
  type: "object",
  properties: {
    observedGeneration: { type: "integer", format: "int64" },
    resources: { type: "integer", format: "int32", description: "How many resources follow it." },
    namespaces: {
      type: "array",
      description: "What each controller that is limited to namespaces found in its own.",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["namespace"],
      items: {
        type: "object",
        required: ["namespace"],
        properties: {
          namespace: { type: "string" },
          resources: { type: "integer", format: "int32", description: "How many resources follow it there." },
          status: { type: "string" },
          reason: { type: "string" },
          message: { type: "string" },
        },
      },
    },
    conditions: conditions("Ready: the kind is there, may be read and reported on, and no other source has its sets."),
  },
};

const COLUMNS: readonly Schema[] = [
  { name: "Kind", type: "string", jsonPath: ".spec.resource.kind" },
  { name: "Resources", type: "integer", jsonPath: ".status.resources" },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];

export const EXPANSION_SOURCE_DEFINITION = definitionOf({
  kind: "ExpansionSource",
  scope: "Cluster",
  shortName: "xs",
  description: "Where a kind of custom resource writes its sizes, and which StatefulSets or claims follow them.",
  columns: COLUMNS,
  spec: SPEC,
  status: STATUS,
});
