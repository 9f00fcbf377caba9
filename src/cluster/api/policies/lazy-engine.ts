/** What carries policies out, CEL included: loaded when the first of them is written, or counts. */
import { lazy } from "../lazy.ts";

export const engine = lazy(() => import("./engine.ts"));
