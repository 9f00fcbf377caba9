/** What ValidatingAdmissionPolicies are asked, and can be asked. */
import type { JsonObject } from "../../../src/cluster/api/json.ts";
import { MATCHING_SCENES } from "./matching-scenes.ts";
import {
  created,
  DEPLOYMENT_RULE,
  data,
  deleted,
  deployment,
  judged,
  map,
  merged,
  replaced,
  rule,
  type Scene,
} from "./scene.ts";

/** A message says what the expression comes to. */
const says = (messageExpression: string): JsonObject => rule("false", { messageExpression });
const MESSAGES: readonly Scene[] = [
  judged("no-message", rule("object.data.a == 'c'")),
  judged("message", rule("false", { message: "  a is not c  " })),
  judged("long-expression", rule("  object.data.a == 'c' &&\n  true  ", { message: "no" })),
  judged("message-expression", says("'a is ' + object.data.a + ' in ' + object.metadata.name")),
  judged("message-fails", rule("false", { message: "plain", messageExpression: "string(object.data.nothing)" })),
  judged("message-blank", rule("false", { message: "plain", messageExpression: "'  '" })),
  judged("message-lines", rule("false", { message: "plain", messageExpression: "'a\\nb'" })),
  judged(
    "message-long",
    rule("false", { message: "plain", messageExpression: "['x'].map(x, x)[0].replace('x', object.data.a)" }),
  ),
  judged("reason-forbidden", rule("false", { reason: "Forbidden", message: "no" })),
  judged("reason-invalid", rule("false", { reason: "Invalid", message: "no" })),
  judged("reason-too-large", rule("false", { reason: "RequestEntityTooLarge", message: "no" })),
  judged("second-fails", {
    validations: [{ expression: "true" }, { expression: "false", message: "second" }, { expression: "false" }],
  }),
  judged("all-met", rule("object.data.a == 'b'")),
];

const ACTIONS: readonly Scene[] = [
  judged("warn", rule("false", { message: 'say "no"' }), { binding: { validationActions: ["Warn"] } }),
  judged(
    "warn-twice",
    {
      validations: [
        { expression: "false", message: "one" },
        { expression: "false", message: "two" },
      ],
    },
    { binding: { validationActions: ["Warn", "Audit"] } },
  ),
  judged("audit", rule("false"), { binding: { validationActions: ["Audit"] } }),
  judged("deny-and-audit", rule("false", { message: "no" }), { binding: { validationActions: ["Audit", "Deny"] } }),
  judged("error", rule("object.data.nothing == 'b'")),
  judged("error-ignored", { ...rule("object.data.nothing == 'b'"), failurePolicy: "Ignore" }),
  judged("error-warned", rule("object.data.nothing == 'b'"), { binding: { validationActions: ["Warn"] } }),
  judged("denied-though-ignored", { ...rule("false", { message: "no" }), failurePolicy: "Ignore" }),
];

const CONDITIONS: readonly Scene[] = [
  judged("condition-met", { matchConditions: [{ name: "x", expression: "object.data.a == 'b'" }] }),
  judged("condition-unmet", { matchConditions: [{ name: "x", expression: "object.data.a == 'c'" }] }),
  judged("condition-error", { matchConditions: [{ name: "x", expression: "object.data.no == 'c'" }] }),
  judged("condition-error-ignored", {
    matchConditions: [{ name: "x", expression: "object.data.no == 'c'" }],
    failurePolicy: "Ignore",
  }),
  judged("conditions-fail", {
    matchConditions: [
      { name: "x", expression: "object.data.no == 'c'" },
      { name: "y", expression: "object.data.neither == 'c'" },
    ],
  }),
  judged("condition-error-and-unmet", {
    matchConditions: [
      { name: "x", expression: "object.data.no == 'c'" },
      { name: "y", expression: "false" },
    ],
  }),
  judged("condition-sees-no-namespace", {
    matchConditions: [{ name: "x", expression: "namespaceObject.metadata.name == 'x'" }],
  }),
];

const VARIABLES: readonly Scene[] = [
  judged("variables", {
    variables: [
      { name: "keys", expression: "object.data.map(k, k)" },
      { name: "first", expression: "variables.keys[0]" },
    ],
    ...says("'the first is ' + variables.first"),
  }),
  judged("variable-unused", { variables: [{ name: "bad", expression: "object.data.no" }], ...rule("true") }),
  judged("variable-fails", {
    variables: [{ name: "bad", expression: "object.data.no" }],
    ...rule("variables.bad == 'x'"),
  }),
  judged("variable-of-dyn", {
    variables: [{ name: "data", expression: "object.data" }],
    ...rule("variables.data.all(k, variables.data[k] == 'c')"),
  }),
  judged("variable-in-message", {
    variables: [{ name: "limit", expression: "1 + 1" }],
    ...says("'no more than ' + string(variables.limit)"),
  }),
];

const SEEN: readonly Scene[] = [
  judged(
    "request",
    says(
      "[request.operation, request.kind.kind, request.kind.version, request.resource.resource, request.requestKind.kind, request.name, request.namespace, string(request.dryRun), string(has(request.subResource)), string(has(request.requestSubResource)), string(request.options.kind), string(request.options.apiVersion)].join(' ')",
    ),
    { asks: [created("request", map("m")), created("request", map("m"), "?dryRun=All&fieldManager=me")] },
  ),
  judged(
    "request-user",
    says(
      "request.userInfo.username + ' ' + request.userInfo.groups.join(' ') + ' ' + string(has(request.userInfo.extra))",
    ),
    {
      asks: [{ ...created("request-user", map("m")), as: "system:serviceaccount:default:nobody" }],
    },
  ),
  judged(
    "namespace",
    says(
      "namespaceObject.metadata.labels['scene'] + ' ' + namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0]",
    ),
  ),
  judged("namespace-uid", says("string(namespaceObject.metadata.UID == '')")),
  judged("old-of-new", rule("oldObject != null", { message: "it is new" })),
  judged(
    "update",
    rule("oldObject == null || oldObject.data == object.data", {
      messageExpression: "oldObject.data.a + ' to ' + object.data.a",
    }),
    {
      asks: [
        created("update", map("m")),
        replaced("update", map("m", { a: "c" })),
        replaced("update", map("m", { a: "b" }, { labels: { x: "y" } })),
      ],
    },
  ),
  judged("deletion", rule("object != null", { messageExpression: "'never delete ' + oldObject.metadata.name" }), {
    asks: [created("deletion", map("m")), deleted("deletion", map("m"))],
  }),
  judged(
    "typed",
    {
      ...says(
        "[string(has(object.status)), string(has(object.spec.template.spec.securityContext)), string(object.spec.strategy.type), string(object.spec.replicas), string(has(object.metadata.creationTimestamp)), string(object.kind), string(object.apiVersion)].join(' ')",
      ),
      matchConstraints: { resourceRules: [DEPLOYMENT_RULE] },
    },
    {
      asks: [created("typed", deployment("d"))],
    },
  ),
  judged(
    "typed-quantities",
    {
      ...says(
        "['cpu', 'memory'].map(k, k + '=' + object.spec.template.spec.containers[0].resources.requests[k]).join(',')",
      ),
      matchConstraints: { resourceRules: [DEPLOYMENT_RULE] },
    },
    {
      asks: [
        created("typed-quantities", deployment("d", {}, { resources: { requests: { cpu: "0.5", memory: "1024Mi" } } })),
      ],
    },
  ),
  judged(
    "scale",
    {
      ...says("request.kind.kind + ' ' + request.subResource + ' ' + string(object.spec.replicas)"),
      matchConstraints: { resourceRules: [{ ...DEPLOYMENT_RULE, resources: ["deployments/scale"] }] },
    },
    {
      asks: [
        created("scale", deployment("d")),
        merged("/apis/apps/v1/namespaces/scale/deployments/d/scale", { spec: { replicas: 3 } }),
      ],
    },
  ),
];

/** Says what it comes to. */
const tells = (name: string, text: string): Scene =>
  judged(name, {
    validations: [{ expression: `dyn(${text}) == "never"`, messageExpression: "'it is something else'" }],
  });

const AUTHORIZER: readonly Scene[] = [
  tells("account-name", "authorizer.serviceAccount('default', 'No Body').path('/healthz').check('get').allowed()"),
  tells("account-namespace", "authorizer.serviceAccount('no.where', 'nobody').path('/healthz').check('get').allowed()"),
  tells("account-of-neither", "authorizer.serviceAccount('', '').path('/healthz').check('get').allowed()"),
  tells(
    "account-of-two",
    "authorizer.serviceAccount('default', 'a').serviceAccount('x', 'b').path('/').check('get').reason()",
  ),
  tells("no-path", "authorizer.path(' \\t').check('get').allowed()"),
  tells("no-resource", "authorizer.group('').resource('').check('get').allowed()"),
  tells("authorizer-equals", "authorizer == authorizer"),
  tells("decision-equals", "authorizer.path('/').check('get') == authorizer.path('/').check('get')"),
  tells("decision-in", "authorizer.path('/').check('get') in [authorizer.path('/').check('get')]"),
  tells("field-selector", "authorizer.group('').resource('pods').fieldSelector('a==').check('list').errored()"),
  tells("label-selector", "authorizer.group('').resource('pods').labelSelector('a in (').check('list').error()"),
  tells("dyn-path", "authorizer.path(dyn(1)).check('get').allowed()"),
  tells("type-of-decision", "type(authorizer.path('/').check('get'))"),
  judged(
    "may",
    rule(
      "[authorizer.group('').resource('pods').namespace('default').check('create'), authorizer.path('/healthz').check('get'), authorizer.requestResource.check('delete')].all(d, d.allowed())",
    ),
  ),
  judged(
    "may-not",
    rule(
      "authorizer.serviceAccount('default', 'nobody').group('apps').resource('deployments').subresource('scale').namespace('x').name('y').check('update').allowed()",
    ),
  ),
];

const COSTS: readonly Scene[] = [
  judged("too-dear", rule("object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != 'x')))"), {
    asks: [created("too-dear", map("m", data(200)))],
  }),
  judged(
    "dear-together",
    {
      validations: Array.from({ length: 14 }, () => ({
        expression: "object.data.all(a, object.data.all(b, a + b != 'x'))",
      })),
    },
    {
      asks: [created("dear-together", map("m", data(400)))],
    },
  ),
  judged(
    "dear-conditions",
    {
      matchConditions: Array.from({ length: 6 }, (_, index) => ({
        name: `c${index}`,
        expression: "object.data.all(a, object.data.all(b, a + b != 'x'))",
      })),
    },
    {
      asks: [created("dear-conditions", map("m", data(400)))],
    },
  ),
  judged(
    "dear-variable",
    {
      variables: [
        { name: "v", expression: "object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != 'x')))" },
      ],
      ...rule("variables.v"),
    },
    { asks: [created("dear-variable", map("m", data(200)))] },
  ),
];

const ANNOTATIONS: readonly Scene[] = [
  judged("annotated", { validations: [], auditAnnotations: [{ key: "k", valueExpression: "'v'" }] }),
  judged("annotated-null", { validations: [], auditAnnotations: [{ key: "k", valueExpression: "null" }] }),
  judged(
    "annotation-fails",
    { validations: [], auditAnnotations: [{ key: "k", valueExpression: "string(object.data.no)" }] },
    { binding: { validationActions: ["Audit"] } },
  ),
  judged("annotation-fails-ignored", {
    validations: [],
    failurePolicy: "Ignore",
    auditAnnotations: [{ key: "k", valueExpression: "string(object.data.no)" }],
  }),
];

export const VALIDATING: readonly Scene[] = [
  ...MESSAGES,
  ...ACTIONS,
  ...CONDITIONS,
  ...VARIABLES,
  ...SEEN,
  ...AUTHORIZER,
  ...MATCHING_SCENES,
  ...COSTS,
  ...ANNOTATIONS,
];
