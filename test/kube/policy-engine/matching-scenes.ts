/** Which requests policies and bindings are for, and what they look at beside them. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { created, data, judged, MAP_RULE, map, rule, type Scene, validating } from "./scene.ts";

const PARAMS = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const byName = (name: string, more: JsonObject = {}): JsonObject => ({
  paramRef: { name, parameterNotFoundAction: "Deny", ...more },
});
const LIMIT = map("limit", { max: "3" }, { labels: { is: "param" } });
const LOWER = map("lower", { max: "2" }, { labels: { is: "param" } });
/** Params are maps themselves: the policy must not be asked about them. */
const withParams = (validations: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...PARAMS,
  ...validations,
  ...withNames("m"),
  ...more,
});
function withNames(...names: string[]): JsonObject {
  return { matchConstraints: { resourceRules: [{ ...MAP_RULE, resourceNames: names }] } };
}
const tooMany = rule("size(object.data) <= int(params.data.max)", {
  messageExpression: "'at most ' + params.data.max",
});
const PARAM_SCENES: readonly Scene[] = [
  judged("param", withParams(tooMany), {
    before: [LIMIT],
    binding: byName("limit"),
    asks: [created("param", map("m", data(4))), created("param", map("m", data(3)))],
  }),
  judged("param-missing", withParams(tooMany), { binding: byName("limit") }),
  judged("param-missing-ignored", withParams(tooMany, { failurePolicy: "Ignore" }), { binding: byName("limit") }),
  judged("param-missing-allowed", withParams(tooMany), {
    binding: byName("limit", { parameterNotFoundAction: "Allow" }),
  }),
  judged("params-selected", withParams(tooMany), {
    before: [LIMIT, LOWER, map("other", { max: "0" })],
    binding: { paramRef: { selector: { matchLabels: { is: "param" } }, parameterNotFoundAction: "Deny" } },
    asks: [created("params-selected", map("m", data(3))), created("params-selected", map("m", data(2)))],
  }),
  judged("params-none-selected", withParams(tooMany), {
    binding: { paramRef: { selector: { matchLabels: { is: "none" } }, parameterNotFoundAction: "Deny" } },
  }),
  judged("param-elsewhere", withParams(tooMany), {
    binding: byName("limit", { namespace: "param" }),
    asks: [created("param-elsewhere", map("m", data(4)))],
  }),
  judged("param-unbound", withParams(rule("params == null", { message: "there are params" }))),
  judged(
    "param-class",
    {
      ...rule("params.provisioner == 'x'", { messageExpression: "params.kind + ' of ' + params.provisioner" }),
      paramKind: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" },
    },
    {
      before: [
        { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name: "param-class" }, provisioner: "p" },
      ],
      binding: byName("param-class"),
    },
  ),
  judged(
    "param-class-namespaced",
    { paramKind: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" } },
    {
      binding: byName("param-class", { namespace: "default" }),
    },
  ),
  judged(
    "param-kind-unknown",
    { paramKind: { apiVersion: "nowhere.io/v1", kind: "Nothing" } },
    { binding: byName("x") },
  ),
  judged(
    "param-kind-unknown-ignored",
    { paramKind: { apiVersion: "v1", kind: "Nothing" }, failurePolicy: "Ignore" },
    { binding: byName("x") },
  ),
  {
    name: "param-of-cluster-request",
    policies: validating(
      "param-of-cluster-request",
      {
        ...PARAMS,
        ...tooMany,
        matchConstraints: {
          namespaceSelector: {},
          resourceRules: [
            {
              apiGroups: ["storage.k8s.io"],
              apiVersions: ["v1"],
              resources: ["storageclasses"],
              operations: ["CREATE"],
              resourceNames: ["param-of-cluster-request"],
            },
          ],
        },
      },
      byName("limit"),
    ),
    asks: [
      created("", {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: "param-of-cluster-request" },
        provisioner: "p",
      }),
    ],
  },
];

const MATCHING: readonly Scene[] = [
  judged(
    "excluded",
    { matchConstraints: { resourceRules: [MAP_RULE], excludeResourceRules: [{ ...MAP_RULE, resourceNames: ["m"] }] } },
    {
      asks: [created("excluded", map("m")), created("excluded", map("n"))],
    },
  ),
  judged("named", withNames("m"), { asks: [created("named", map("m")), created("named", map("n"))] }),
  judged(
    "object-selected",
    { matchConstraints: { resourceRules: [MAP_RULE], objectSelector: { matchLabels: { a: "b" } } } },
    {
      asks: [created("object-selected", map("m")), created("object-selected", map("m", {}, { labels: { a: "b" } }))],
    },
  ),
  judged(
    "binding-narrows",
    {},
    {
      binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } },
      asks: [created("binding-narrows", map("m")), created("binding-narrows", map("m", {}, { labels: { a: "b" } }))],
    },
  ),
  judged(
    "binding-excludes",
    {},
    {
      binding: {
        matchResources: {
          resourceRules: [{ ...MAP_RULE, operations: ["CREATE"] }],
          excludeResourceRules: [{ ...MAP_RULE, resourceNames: ["n"] }],
        },
      },
      asks: [created("binding-excludes", map("m")), created("binding-excludes", map("n"))],
    },
  ),
  { name: "unbound", policies: validating("unbound", {}).slice(0, 1), asks: [created("unbound", map("m"))] },
  {
    name: "bound-to-nothing",
    policies: validating("bound-to-nothing", {}).slice(1),
    asks: [created("bound-to-nothing", map("m"))],
  },
  judged(
    "about-policies",
    {
      matchConstraints: {
        namespaceSelector: {},
        resourceRules: [
          { apiGroups: ["admissionregistration.k8s.io"], apiVersions: ["*"], resources: ["*"], operations: ["CREATE"] },
        ],
      },
    },
    {
      asks: [
        created("", validating("no-one", {})[0] as JsonObject, "?dryRun=All"),
        created(
          "",
          {
            apiVersion: "admissionregistration.k8s.io/v1",
            kind: "ValidatingWebhookConfiguration",
            metadata: { name: "no-one" },
          },
          "?dryRun=All",
        ),
      ].map((ask, index) =>
        index === 0
          ? ask
          : { ...ask, path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All" },
      ),
    },
  ),
  {
    name: "two-bindings",
    before: [LIMIT, LOWER],
    policies: [
      ...validating("two-bindings", withParams(tooMany), byName("limit")),
      ...validating("two-bindings", {}, { ...byName("lower"), policyName: "two-bindings-p" }, "q").slice(1),
    ],
    asks: [created("two-bindings", map("m", data(3)))],
  },
];

export const MATCHING_SCENES: readonly Scene[] = [...PARAM_SCENES, ...MATCHING];
