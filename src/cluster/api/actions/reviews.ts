/** POST of a review: a question about who somebody is or what they may do. Nothing is stored. */
import { answerReview, type ReviewSources } from "../auth/reviews.ts";
import type { Action } from "../handlers/dispatch.ts";
import { unknownPath } from "../http/status.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { trackUpdate } from "../patch/ownership/index.ts";
import { readActionBody } from "./body.ts";

export function answerReviews(sources: ReviewSources): Action {
  return async ({ clock }, { resource: { kind }, namespace }, caller, body) => {
    const { object, options } = readActionBody(groupVersionOf(kind), kind.kind, caller, body);
    const now = clock.now();
    const owned = trackUpdate(undefined, object, {
      apiVersion: groupVersionOf(kind),
      kind: kind.kind,
      manager: options.manager,
      now,
    });
    const answer = answerReview(kind.kind, owned, { identity: caller.user, namespace, now }, sources);
    if (answer === undefined) throw unknownPath();
    return { code: 201, object: answer };
  };
}
