/** Every story. */
import type { Story } from "../story.ts";
import { ACCESS } from "./access.ts";
import { CUSTOM } from "./custom.ts";
import { CUSTOM_CHANGED } from "./custom-changed.ts";
import { DEEPER } from "./deeper.ts";
import { DELETION } from "./deletion.ts";
import { ENCODINGS } from "./encodings.ts";
import { EVENTS } from "./events.ts";
import { HEADS } from "./heads.ts";
import { HOOKS } from "./hooks.ts";
import { IDENTITY } from "./identity.ts";
import { KINDS } from "./kinds.ts";
import { LIMITS } from "./limits.ts";
import { LISTS } from "./lists.ts";
import { METADATA_UPDATES } from "./metadata-updates.ts";
import { OBJECTS } from "./objects.ts";
import { OPTIONS } from "./options.ts";
import { PATHS } from "./paths.ts";
import { REFUSALS } from "./refused.ts";
import { SERVICES } from "./services.ts";
import { STATUSES } from "./statuses.ts";
import { STORED } from "./stored.ts";
import { WARNINGS } from "./warnings.ts";
import { WATCHES } from "./watches.ts";
import { WORKLOADS } from "./workloads.ts";

export const STORIES: readonly Story[] = [
  ...OBJECTS,
  ...IDENTITY,
  ...DELETION,
  ...LISTS,
  ...OPTIONS,
  ...PATHS,
  ...ENCODINGS,
  ...HEADS,
  ...WARNINGS,
  ...WATCHES,
  ...WORKLOADS,
  ...REFUSALS,
  ...METADATA_UPDATES,
  ...SERVICES,
  ...EVENTS,
  ...LIMITS,
  ...ACCESS,
  ...CUSTOM,
  ...CUSTOM_CHANGED,
  ...DEEPER,
  ...HOOKS,
  ...STATUSES,
  ...STORED,
  ...KINDS,
];
