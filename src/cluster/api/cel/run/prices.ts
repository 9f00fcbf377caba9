/**
 * Kubernetes' prices, for those who count what a call took and those who estimate what it may take: k8s.io/apiserver/pkg/cel/library/cost.go
 * and cel-go's own defaults.
 */

export const COST = { ident: 1, list: 10, map: 30, struct: 40, authorization: 350_000 } as const;

/** Of a character that is looked at, and of one of a pattern. */
export const TRAVERSAL = 0.1;
export const REGEX = 0.25;

/** Functions that cost one step, whatever they are given. */
export const CHEAP: ReadonlySet<string> = new Set(
  [
    "serviceAccount path group resource subresource namespace name allowed reason error errored",
    "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named",
    "sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch",
    "getScheme getHostname getHost getPort getEscapedPath getQuery",
  ].flatMap((names) => names.split(" ")),
);

/** Overloads that compare texts or bytes by their order. */
export const ORDERING = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/;
