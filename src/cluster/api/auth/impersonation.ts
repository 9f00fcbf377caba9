/**
 * Asking as somebody else: `kubectl --as bob --as-group dev`. Two sets of rules let one do so (upstream
 * apiserver/pkg/endpoints/filters/impersonation): the old verb `impersonate`, for whatever is asked then; and, since KEP 5284,
 * `impersonate:MODE` together with `impersonate-on:MODE:VERB` on the very thing that is asked.
 */
import { fieldErrorText, invalid } from "../../../admission/verdict.ts";
import { badRequest, type StatusError } from "../status-error.ts";
import { dnsSubdomain } from "../validation/names.ts";
import type { Authorizer } from "./authorizer.ts";
import {
  ANONYMOUS,
  AUTHENTICATED,
  accountGroups,
  accountOf,
  type Identity,
  MASTERS,
  NODE_NAME,
  NODES,
  nodeOf,
  UNAUTHENTICATED,
  type User,
} from "./identity.ts";
import { type RequestHeaders, readWanted, type Wanted } from "./impersonation-headers.ts";
import { type Attempt, forbidden, type ResourceAttempt, reasonOf } from "./rbac.ts";

const AUTHENTICATION = "authentication.k8s.io";

/**
 * Who the request counts for: `requester` without such headers, else whom they name, if the requester may. `attempt` is what
 * is asked. Throws 403 in upstream's words, and 400 for headers that name no user.
 */
export function impersonate(
  requester: Identity,
  headers: RequestHeaders,
  attempt: Attempt,
  authorizer: Authorizer,
): Identity {
  const wanted = readWanted(headers);
  if (wanted === undefined) return requester;
  let first: StatusError | undefined;
  for (const mode of MODES) {
    if (!mode.applies(wanted, requester)) continue;
    const refusal = mode.check(wanted, requester, attempt, authorizer);
    if (refusal === undefined) return identityOf(wanted, mode.groupsOf(wanted));
    first ??= refusal;
  }
  // The old mode applies to everybody: there is a refusal.
  throw first ?? badRequest("all impersonation modes failed");
}

interface Mode {
  applies(wanted: Wanted, requester: Identity): boolean;
  /** Undefined: it is allowed. */
  check(wanted: Wanted, requester: Identity, attempt: Attempt, authorizer: Authorizer): StatusError | undefined;
  /** The groups that the name brings along, before those that everybody has. */
  groupsOf(wanted: Wanted): readonly string[];
}

const MODES: readonly Mode[] = [
  constrained("associated-node", (wanted, requester) => {
    const node = nodeOf(wanted.name);
    if (node === undefined || !isNameOnly(wanted) || accountOf(requester.name) === undefined) return false;
    const own = requester.extra[NODE_NAME] ?? [];
    return own.length === 1 && own[0] === node;
  }),
  constrained("arbitrary-node", (wanted) => isNameOnly(wanted) && nodeOf(wanted.name) !== undefined),
  constrained("serviceaccount", (wanted) => isNameOnly(wanted) && accountOf(wanted.name) !== undefined),
  constrained("user-info", ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined),
  {
    applies: () => true,
    check: (wanted, requester, _, authorizer) => firstRefused(requester, unconstrainedChecks(wanted), authorizer),
    groupsOf: accountOrGiven,
  },
];

function isNameOnly({ uid, groups, extra }: Wanted): boolean {
  return uid === "" && groups.length === 0 && extra.size === 0;
}

function constrained(mode: string, applies: Mode["applies"]): Mode {
  return {
    applies,
    check: (wanted, requester, attempt, authorizer) =>
      refusalOf(requester, { ...attempt, verb: `impersonate-on:${mode}:${attempt.verb}` }, authorizer) ??
      checkConstrained(`impersonate:${mode}`, wanted, requester, authorizer),
    groupsOf: (wanted) => (nodeOf(wanted.name) === undefined ? accountOrGiven(wanted) : [NODES]),
  };
}

function accountOrGiven({ name, groups }: Wanted): readonly string[] {
  const account = accountOf(name);
  return account !== undefined && groups.length === 0 ? accountGroups(account.namespace) : groups;
}

function identityOf({ name, uid, extra }: Wanted, groups: readonly string[]): Identity {
  const anonymous = name === ANONYMOUS.name;
  const everybody = anonymous ? UNAUTHENTICATED : AUTHENTICATED;
  const complete = groups.includes(everybody) || (!anonymous && groups.includes(UNAUTHENTICATED));
  return { name, uid, groups: complete ? groups : [...groups, everybody], extra: Object.fromEntries(extra) };
}

/** What the old verb asks for, in upstream's order. */
function unconstrainedChecks(wanted: Wanted): ResourceAttempt[] {
  const verb = "impersonate";
  return [
    nameCheck(verb, "", wanted),
    ...uidChecks(verb, wanted),
    ...groupChecks(verb, "", wanted),
    ...extraChecks(verb, wanted),
  ];
}

/** The same with the new verbs, which also refuse what nobody should be allowed to ask for. */
function checkConstrained(
  verb: string,
  wanted: Wanted,
  requester: User,
  authorizer: Authorizer,
): StatusError | undefined {
  const named = firstRefused(
    requester,
    [nameCheck(verb, AUTHENTICATION, wanted), ...uidChecks(verb, wanted)],
    authorizer,
  );
  if (named !== undefined) return named;
  const group = wanted.groups.includes("") ? "" : wanted.groups.find((each) => each === MASTERS);
  if (group !== undefined) {
    const what = group === "" ? "the empty string group" : `the ${MASTERS} group`;
    return forbidden(
      requester,
      attemptOn(verb, AUTHENTICATION, "groups", group),
      `impersonating ${what} is not allowed`,
    );
  }
  const groups = firstRefused(requester, groupChecks(verb, AUTHENTICATION, wanted), authorizer);
  if (groups !== undefined) return groups;
  const strange = strangeExtra(wanted);
  if (strange !== undefined) return forbidden(requester, attemptOn(verb, AUTHENTICATION, "userextras", ""), strange);
  return firstRefused(requester, extraChecks(verb, wanted), authorizer);
}

function nameCheck(verb: string, group: string, { name }: Wanted): ResourceAttempt {
  const account = accountOf(name);
  if (account !== undefined)
    return { ...attemptOn(verb, group, "serviceaccounts", account.name), namespace: account.namespace };
  const node = group === "" ? undefined : nodeOf(name);
  if (node === undefined) return attemptOn(verb, group, "users", name);
  // Which node is told by the token of who asks: the rule is about all of them.
  return attemptOn(verb, group, "nodes", verb === "impersonate:associated-node" ? "*" : node);
}

function uidChecks(verb: string, { uid }: Wanted): ResourceAttempt[] {
  return uid === "" ? [] : [attemptOn(verb, AUTHENTICATION, "uids", uid)];
}

function groupChecks(verb: string, group: string, { groups }: Wanted): ResourceAttempt[] {
  return groups.map((name) => attemptOn(verb, group, "groups", name));
}

function extraChecks(verb: string, { extra }: Wanted): ResourceAttempt[] {
  return [...extra].flatMap(([key, values]) =>
    values.map((value) => attemptOn(verb, AUTHENTICATION, `userextras/${key}`, value)),
  );
}

function attemptOn(verb: string, group: string, resource: string, name: string): ResourceAttempt {
  return { verb, group, resource, namespace: undefined, name: name === "" ? undefined : name };
}

function firstRefused(requester: User, attempts: readonly Attempt[], authorizer: Authorizer): StatusError | undefined {
  for (const attempt of attempts) {
    const refusal = refusalOf(requester, attempt, authorizer);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusalOf(requester: User, attempt: Attempt, authorizer: Authorizer): StatusError | undefined {
  const decision = authorizer.decide(requester, attempt);
  return decision.allowed ? undefined : forbidden(requester, attempt, reasonOf(requester, decision));
}

/** Characters that a path of a URL may have; upstream httpPathFmt. */
const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function strangeExtra({ extra }: Wanted): string | undefined {
  for (const [key, values] of extra) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    const error = keyError(key);
    if (error !== undefined) return `impersonating an invalid key in extra is not allowed: ${error}`;
    if (values.includes("")) return "impersonating the empty string value in extra is not allowed";
  }
  return undefined;
}

function keyError(key: string): string | undefined {
  const slash = key.indexOf("/");
  const [host, path] = slash === -1 ? ["", ""] : [key.slice(0, slash), key.slice(slash + 1)];
  const wrong = (value: string, detail: string) => fieldErrorText(invalid("extra.key", value, detail));
  if (host === "" || path === "") return wrong(key, 'must be a domain-prefixed path (such as "acme.io/foo")');
  const [detail] = dnsSubdomain(host);
  if (detail !== undefined) return wrong(host, detail);
  const rule = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
  return PATH.test(path) ? undefined : wrong(path, rule);
}
