import { expect, test } from "vitest";
import { fieldErrorText } from "../../../admission/verdict.ts";
import { type PodWithEphemeral, validateEphemeralContainers } from "./ephemeral-containers.ts";
import type { EphemeralContainer } from "./pod/ephemeral.ts";

const defaults = { imagePullPolicy: "Always", terminationMessagePolicy: "File" };
const shell: EphemeralContainer = { name: "shell", image: "busybox", ...defaults };
const pod = (...ephemeralContainers: EphemeralContainer[]): PodWithEphemeral => ({
  metadata: {},
  spec: {
    containers: [{ name: "main", image: "db" }],
    initContainers: [{ name: "first", image: "x" }],
    ephemeralContainers,
  },
});

test.each<[string, PodWithEphemeral, PodWithEphemeral, string[]]>([
  ["one is added", pod(), pod(shell), []],
  ["a second one", pod(shell), pod(shell, { ...shell, name: "more", targetContainerName: "main" }), []],
  [
    "one goes",
    pod(shell),
    pod(),
    ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "shell" may not be removed\n'],
  ],
  [
    "one changes",
    pod(shell),
    pod({ ...shell, image: "other" }),
    ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "shell" may not be changed\n'],
  ],
  [
    "the name of another",
    pod(),
    pod({ ...shell, name: "first" }, shell, shell),
    [
      'spec.ephemeralContainers[0].name: Duplicate value: "first"',
      'spec.ephemeralContainers[2].name: Duplicate value: "shell"',
    ],
  ],
  [
    "what a container of the pod itself may have",
    pod(),
    pod({ ...shell, ports: [{ containerPort: 80, protocol: "TCP" }], resources: {} }),
    ["spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container"],
  ],
  [
    "into nothing",
    pod(),
    pod({ ...shell, targetContainerName: "none" }),
    ['spec.ephemeralContainers[0].targetContainerName: Not found: "none"'],
  ],
  ["no image", pod(), pod({ name: "shell", ...defaults }), ["spec.ephemeralContainers[0].image: Required value"]],
])("%s", (_, old, next, errors) => {
  expect(validateEphemeralContainers(old, next).map(fieldErrorText)).toEqual(errors);
});

test("a pod that a node has of itself is looked into there", () => {
  const mirrored = { ...pod(), metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } };
  expect(validateEphemeralContainers(mirrored, pod(shell))).toHaveLength(1);
});
