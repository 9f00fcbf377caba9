/** POST of a review: a question about who somebody is or what they may do. Nothing is stored. */
import { answerReview, type ReviewSources } from "../auth/reviews.ts";
import type { Action } from "../handlers/dispatch.ts";
import { unknownPath } from "../http/status.ts";
import { groupVersionOf } from "../kinds/kind.ts";
import { readActionBody } from "./body.ts";

export function answerReviews(sources: ReviewSources): Action {
  return async ({ clock }, { resource: { kind }, namespace }, caller, body) => {
    const { object } = readActionBody(groupVersionOf(kind), kind.kind, caller, body);
    const request = { identity: caller.user, namespace, now: clock.now() };
    const answer = answerReview(kind.kind, object, request, sources);
    if (answer === undefined) throw unknownPath();
    return { code: 201, object: answer };
  };
}
