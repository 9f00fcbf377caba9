/** The rights of who grows sets and nothing else. */
import { CONTROLLER_RULES, type PolicyRule } from "../statefulset/install/role.ts";

/** Those of `outgrow controller`, without what it needs to follow sources. */
export const GROWTH_RULES: readonly PolicyRule[] = CONTROLLER_RULES.filter(
  ({ resources }) => !resources.some((resource) => resource.startsWith("expansionsources")),
);
