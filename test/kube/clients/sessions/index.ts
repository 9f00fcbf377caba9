import { applying } from "./applying.ts";
import { changing } from "./changing.ts";
import { cluster } from "./cluster.ts";
import { creating } from "./creating.ts";
import { custom } from "./custom.ts";
import { deleting } from "./deleting.ts";
import { describing } from "./describing.ts";
import { getting } from "./getting.ts";
import { mistakes } from "./mistakes.ts";
import { storing } from "./storing.ts";

/** All sessions. */
export const SESSIONS = [
  ...getting,
  ...describing,
  ...creating,
  ...applying,
  ...changing,
  ...deleting,
  ...mistakes,
  ...storing,
  ...custom,
  ...cluster,
];
