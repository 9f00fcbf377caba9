/** What expressions ask the authorizer: `authorizer.group('').resource('pods').check('get').allowed()`. */
import type { Authorize, Question } from "../cel/index.ts";
import type { Authorizer } from "./authorizer.ts";
import type { User } from "./identity.ts";
import { type Attempt, reasonOf } from "./rbac.ts";

/** Answers for the user of a request. Selectors make no difference: RBAC does not look at them. */
export function celAuthorize(authorizer: Authorizer, user: User): Authorize {
  return (question, account) => {
    const asking = account === undefined ? user : serviceAccount(account.namespace, account.name);
    const decision = authorizer.decide(asking, attemptOf(question));
    return { isAllowed: decision.allowed, reason: reasonOf(asking, decision), error: undefined };
  };
}

function serviceAccount(namespace: string, name: string): User {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

function attemptOf(question: Question): Attempt {
  if (question.kind === "path") return { verb: question.verb, path: question.path };
  const { verb, group, resource, subresource, namespace, name } = question;
  return {
    verb,
    group,
    namespace: namespace || undefined,
    resource: subresource === "" ? resource : `${resource}/${subresource}`,
    name: name || undefined,
  };
}
