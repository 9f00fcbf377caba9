/** The kind that only this controller uses. */
import { defineResource } from "../../../kube/index.ts";
import type { ControllerRevision } from "./decide/revision.ts";

export const CONTROLLER_REVISIONS = defineResource<ControllerRevision>(
  "apps/v1",
  "ControllerRevision",
  "controllerrevisions",
);
