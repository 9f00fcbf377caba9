/** Containers of a pod, those that run and those before them (upstream validateContainers and validateInitContainers). */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../../../../admission/verdict.ts";
import { checkOneOf, checkPort, checkRequiredName } from "../checks.ts";
import { dnsLabel, portName } from "../names.ts";
import { repeated } from "../repeated.ts";
import { checkRequirements, type Requirements } from "../resources.ts";
import { checkVariableSources, checkVariables, type Variable, type VariableSource } from "./environment.ts";
import { checkLifecycle, checkProbe, type Lifecycle, type Probe, type ProbeName } from "./handler.ts";
import { checkDevices, checkMounts, type Mounting } from "./mounts.ts";
import { type ContainerSecurity, checkContainerSecurity } from "./security.ts";
import type { Volume } from "./volumes.ts";

interface Port {
  readonly name?: string;
  readonly containerPort?: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

export interface Container extends Mounting {
  readonly name?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly terminationMessagePolicy?: string;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly RestartRule[];
  readonly ports?: readonly Port[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly VariableSource[];
  readonly resources?: Requirements;
  readonly resizePolicy?: readonly { readonly resourceName?: string; readonly restartPolicy?: string }[];
  readonly securityContext?: ContainerSecurity;
  readonly lifecycle?: Lifecycle;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

/** What containers have in common. */
export interface PodAround {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly grace: number | undefined;
  readonly restartPolicy: string | undefined;
  /** Users of a container are those of the node. */
  readonly sharesUsers: boolean;
}

const PROTOCOLS = ["SCTP", "TCP", "UDP"];
const PULL_POLICIES = ["Always", "IfNotPresent", "Never"];
const MESSAGE_POLICIES = ["File", "FallbackToLogsOnError"];
const RESTART_POLICIES = ["Always", "Never", "OnFailure"];
const PROBES: readonly ProbeName[] = ["livenessProbe", "readinessProbe", "startupProbe"];

export function checkContainers(containers: readonly Container[], around: PodAround, path: string): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = repeated(containers, ({ name }) => name ?? "");
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    return [
      ...checkContainer(container, around, at),
      ...(names.has(index) ? [duplicate(`${at}.name`, container.name ?? "")] : []),
      ...checkLife(container, around, at),
      ...checkRestart(container, at),
    ];
  });
  return [...errors, ...checkHostPorts(containers, path)];
}

/** `others`: containers of the pod that share the names. */
export function checkInitContainers(
  containers: readonly Container[],
  others: readonly Container[],
  around: PodAround,
  path: string,
): FieldError[] {
  const taken = new Set(others.map(({ name }) => name ?? ""));
  const again = repeated(containers, ({ name = "" }) => (name === "" ? undefined : name));
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { restartPolicy: policy } = container;
    const stays = policy === "Always";
    const why = "may not be set for init containers without restartPolicy=Always";
    const name = container.name ?? "";
    const isTaken = taken.has(name) || again.has(index);
    return [
      ...checkContainer(container, around, at),
      ...(policy === undefined ? checkRulesAlone(container, at) : checkRestart(container, at)),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...checkHostPorts([container], path),
      ...(stays
        ? checkLife(container, around, at)
        : (["lifecycle", ...PROBES] as const)
            .filter((field) => container[field] !== undefined)
            .map((field) => forbidden(`${at}.${field}`, why))),
    ];
  });
}

/** Spaces around an image are a slip in a pod; templates have always been allowed to have them. */
export function checkImages(containers: readonly Container[], path: string): FieldError[] {
  return containers.flatMap(({ image = "" }, index) =>
    image === image.trim()
      ? []
      : [invalid(`${path}[${index}].image`, image, "must not have leading or trailing whitespace")],
  );
}

/** What is wrong with a container of whatever sort. */
export function checkContainer(container: Container, around: PodAround, path: string): FieldError[] {
  const { name, image = "", ports = [], env = [], envFrom = [], resources = {}, securityContext } = container;
  return [
    ...checkRequiredName(name, dnsLabel, `${path}.name`),
    ...(image === "" ? [required(`${path}.image`)] : []),
    ...checkOneOf(container.terminationMessagePolicy, MESSAGE_POLICIES, `${path}.terminationMessagePolicy`),
    ...checkPorts(ports, `${path}.ports`),
    ...checkVariables(env, `${path}.env`),
    ...checkVariableSources(envFrom, `${path}.envFrom`),
    ...checkMounts(container, around.volumes, `${path}.volumeMounts`),
    ...checkDevices(container, around.volumes, `${path}.volumeDevices`),
    ...checkOneOf(container.imagePullPolicy, PULL_POLICIES, `${path}.imagePullPolicy`),
    ...checkRequirements(resources, `${path}.resources`),
    ...checkResizePolicy(container.resizePolicy ?? [], around.restartPolicy, `${path}.resizePolicy`),
    ...(securityContext === undefined
      ? []
      : checkContainerSecurity(securityContext, around.sharesUsers, `${path}.securityContext`)),
  ];
}

function checkLife(container: Container, { grace }: PodAround, path: string): FieldError[] {
  const { lifecycle } = container;
  return [
    ...(lifecycle === undefined ? [] : checkLifecycle(lifecycle, grace, `${path}.lifecycle`)),
    ...PROBES.flatMap((name) => {
      const probe = container[name];
      return probe === undefined ? [] : checkProbe(probe, name, grace, `${path}.${name}`);
    }),
  ];
}

function checkPorts(ports: readonly Port[], path: string): FieldError[] {
  const again = repeated(ports, ({ name = "" }) => (name === "" ? undefined : name));
  return ports.flatMap(({ name = "", containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = `${path}[${index}]`;
    const problems = name === "" ? [] : portName(name);
    const isTaken = problems.length === 0 && again.has(index);
    return [
      ...problems.map((problem) => invalid(`${at}.name`, name, problem)),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...(containerPort === 0 ? [required(`${at}.containerPort`)] : checkPort(containerPort, `${at}.containerPort`)),
      ...(hostPort === 0 ? [] : checkPort(hostPort, `${at}.hostPort`)),
      ...checkOneOf(protocol, PROTOCOLS, `${at}.protocol`),
    ];
  });
}

/** A port of the node is there once. */
function checkHostPorts(containers: readonly Container[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, hostIP = "", protocol = "" }, place) => {
      if (hostPort === 0) return [];
      const port = `${protocol}/${hostIP}/${hostPort}`;
      const isTaken = taken.has(port);
      taken.add(port);
      return isTaken ? [duplicate(`${path}[${index}].ports[${place}].hostPort`, port)] : [];
    }),
  );
}

interface RestartRule {
  readonly action?: string;
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

const ACTIONS = ["Restart", "RestartAllContainers"];
const OPERATORS = ["In", "NotIn"];
const MAX_RULES = 20;
const MAX_CODES = 255;

function checkRulesAlone({ restartPolicyRules: rules = [] }: Container, path: string): FieldError[] {
  const why = "must specify restartPolicy when restart rules are used";
  return rules.length === 0 ? [] : [required(`${path}.restartPolicy`, why)];
}

/** When a container is started again, by itself or by how it ended. */
function checkRestart(container: Container, path: string): FieldError[] {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  const at = `${path}.restartPolicyRules`;
  return [
    ...(policy === undefined ? checkRulesAlone(container, path) : []),
    ...(policy === undefined || RESTART_POLICIES.includes(policy)
      ? []
      : [notSupported(`${path}.restartPolicy`, policy, RESTART_POLICIES)]),
    ...(rules.length > MAX_RULES ? [tooMany(at, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => checkRule(rule, `${at}[${index}]`)),
  ];
}

function checkRule({ action = "", exitCodes }: RestartRule, path: string): FieldError[] {
  const known = ACTIONS.includes(action) ? [] : [notSupported(`${path}.action`, action, ACTIONS)];
  if (exitCodes === undefined) return [...known, required(`${path}.exitCodes`, "must be specified")];
  const { operator = "", values = [] } = exitCodes;
  return [
    ...known,
    ...(OPERATORS.includes(operator) ? [] : [notSupported(`${path}.exitCodes.operator`, operator, OPERATORS)]),
    ...(values.length > MAX_CODES ? [tooMany(`${path}.exitCodes.values`, values.length, MAX_CODES)] : []),
  ];
}

const RESIZED = ["cpu", "memory"];
const RESIZE_POLICIES = ["NotRequired", "RestartContainer"];

function checkResizePolicy(
  policies: NonNullable<Container["resizePolicy"]>,
  restartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const again = repeated(policies, ({ resourceName }) => resourceName ?? "");
  const never = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
  return policies.flatMap(({ resourceName = "", restartPolicy: policy = "" }, index) => [
    ...(again.has(index) ? [duplicate(`${path}[${index}]`, resourceName)] : []),
    ...checkOneOf(resourceName, RESIZED, path),
    ...checkOneOf(policy, RESIZE_POLICIES, path),
    ...(restartPolicy === "Never" && policy !== "NotRequired" ? [invalid(path, policy, never)] : []),
  ]);
}
