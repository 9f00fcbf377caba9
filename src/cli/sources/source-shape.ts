/** The types that the fields of a source must have, as its definition demands them of what is in a cluster. */
import { listOf, mapOf, objectWith } from "../input/shape.ts";

const SELECTOR = objectWith({
  matchLabels: mapOf("text"),
  matchExpressions: listOf(objectWith({ key: "text", operator: "text", values: listOf("text") }, "key", "operator")),
});

export const SOURCE_SHAPE = objectWith(
  {
    metadata: objectWith({ name: "text", labels: mapOf("text"), annotations: mapOf("text") }, "name"),
    spec: objectWith(
      {
        resource: objectWith(
          { group: "text", version: "text", kind: "text", plural: "text" },
          "group",
          "version",
          "kind",
          "plural",
        ),
        claimTemplatesPath: "text",
        claims: listOf(
          objectWith(
            { template: "text", path: "text", statefulSetName: "text", claimSelector: SELECTOR },
            "template",
            "path",
          ),
        ),
        statefulSetName: "text",
        statefulSetSelector: SELECTOR,
        claimSelector: SELECTOR,
        condition: "text",
        conditionsPath: "text",
        paused: objectWith({ path: "text", equals: "text" }, "path"),
        grownBy: "text",
        recreatedBy: "text",
        rollout: objectWith({ mode: "text", maxConcurrent: "number", canary: "number", onFailure: "text" }),
        restartPods: "text",
      },
      "resource",
    ),
  },
  "metadata",
  "spec",
);
