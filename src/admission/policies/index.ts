/** How a wish gets in on a stock API server (Kubernetes 1.36 and later): see docs/how-a-wish-gets-in.md. */
import { CHECK_CLASS, CHECK_CLASS_BINDING } from "./check-class.ts";
import { CHECK_WISH, CHECK_WISH_BINDING } from "./check-wish.ts";
import { TAKE_WISH, TAKE_WISH_BINDING } from "./take-wish.ts";

/** The policies and their bindings, as plain JSON to be applied; they have no namespace and know nothing of ours. */
export const ADMISSION_POLICIES: readonly object[] = [
  TAKE_WISH,
  TAKE_WISH_BINDING,
  CHECK_WISH,
  CHECK_WISH_BINDING,
  CHECK_CLASS,
  CHECK_CLASS_BINDING,
];
