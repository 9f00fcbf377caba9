/** POST serviceaccounts/NAME/token: a token for an account. */
import type { SigningKey } from "../auth/jwt.ts";
import { requestToken } from "../auth/token-request.ts";
import type { Action } from "../handlers/dispatch.ts";
import { readActionBody } from "./body.ts";

export function issueTokens(key: SigningKey): Action {
  return async ({ objects, clock, chance }, { namespace = "", name = "" }, caller, body) => {
    const { object } = readActionBody("authentication.k8s.io/v1", "TokenRequest", caller, body);
    const issuer = { key, objects, now: clock.now(), uid: chance.uid() };
    return { code: 201, object: requestToken({ namespace, name }, object, issuer) };
  };
}
