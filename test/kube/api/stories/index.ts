/** Every story. */
import type { Story } from "../story.ts";
import { DELETION } from "./deletion.ts";
import { KINDS } from "./kinds.ts";
import { LISTS } from "./lists.ts";
import { OBJECTS } from "./objects.ts";
import { PATHS } from "./paths.ts";
import { WATCHES } from "./watches.ts";
import { WORKLOADS } from "./workloads.ts";

export const STORIES: readonly Story[] = [
  ...OBJECTS,
  ...DELETION,
  ...LISTS,
  ...PATHS,
  ...WATCHES,
  ...WORKLOADS,
  ...KINDS,
];
