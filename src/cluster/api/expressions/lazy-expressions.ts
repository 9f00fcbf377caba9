/** CEL, for conditions of webhooks: loaded when the first of them is written, or asked. */
import { lazy } from "../lazy.ts";

export const expressions = lazy(() => import("./index.ts"));
