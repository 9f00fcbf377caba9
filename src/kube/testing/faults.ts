/** What can go wrong between a client and an API server. */
export type Fault =
  /** The connection breaks, and the request was not served. */
  | { readonly kind: "drop" }
  /** The connection breaks, but the request was served: a write is done, and nobody knows. */
  | { readonly kind: "lost-answer" }
  /** The request was served, and the connection breaks in the middle of the answer. */
  | { readonly kind: "cut-body" }
  /** The request is served at once, and the answer takes this long. */
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** No answer ever comes. */
  | { readonly kind: "silence" }
  | { readonly kind: "status"; readonly status: number; readonly reason: string; readonly retryAfter?: number }
  /** A list is answered from a replica that is this many writes behind. */
  | { readonly kind: "stale"; readonly by: number }
  /** A watch goes wrong after this many events. */
  | { readonly kind: "watch"; readonly how: WatchFault; readonly after: number };

export type WatchFault =
  /** The connection breaks between two events. */
  | "cut"
  /** It breaks in the middle of one. */
  | "cut-mid-line"
  /** It ends as if its time were over. */
  | "end"
  /** An ERROR event with 410: the version is too old. */
  | "expired"
  /** An ERROR event with 500. */
  | "error"
  /** The connection stays, and nothing comes any more. */
  | "silence";
