/** One object of each kind that is acted on, or that people write all the time, with something in every part that there are rules about. */
import { OTHERS } from "./others.ts";
import { PODS } from "./pods.ts";
import type { Rich } from "./rich.ts";
import { STORAGE } from "./storage.ts";

export const RICH: readonly Rich[] = [...PODS, ...STORAGE, ...OTHERS];
