/**
 * Writes src/cluster/api/decode/generated/go-types.json: the Go structures into which a Kubernetes API server decodes each
 * kind that ours reads. To run when the Kubernetes of test/kube changes:
 *
 *     node scripts/generate-go-types.ts [FILE]
 *
 * go-types.go asks the structures themselves, as the modules that test/kube pins have them.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GoTypeData } from "../src/cluster/api/decode/go-types.ts";
import { BUILT_IN } from "../src/cluster/api/kinds/built-in.ts";
import { groupVersionOf } from "../src/cluster/api/kinds/kind.ts";
import { knownKinds } from "../src/cluster/api/schema/schema.ts";

/** What is sent, but not stored. */
const TRANSIENT: readonly string[] = [
  "v1/DeleteOptions",
  "v1/List",
  "policy/v1/Eviction",
  "autoscaling/v1/Scale",
  "authentication.k8s.io/v1/SelfSubjectReview",
  "authentication.k8s.io/v1/TokenRequest",
  "authentication.k8s.io/v1/TokenReview",
  "authorization.k8s.io/v1/LocalSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectAccessReview",
  "authorization.k8s.io/v1/SelfSubjectRulesReview",
  "authorization.k8s.io/v1/SubjectAccessReview",
];

const kinds = new Set([
  ...BUILT_IN.map((kind) => `${groupVersionOf(kind)}/${kind.kind}`),
  ...knownKinds(),
  ...TRANSIENT,
]);

const folder = join(import.meta.dirname, "../test/kube");
const output = execFileSync("go", ["run", "-mod=readonly", "../../scripts/go-types.go", ...[...kinds].sort()], {
  cwd: folder,
  encoding: "utf8",
  maxBuffer: 2 ** 26,
});
const data = JSON.parse(output) as GoTypeData;

/** One type a line: a change of Kubernetes shows as what it is. */
const lines = data.types.map((type) => JSON.stringify(type));
const file = process.argv[2] ?? join(import.meta.dirname, "../src/cluster/api/decode/generated/go-types.json");
writeFileSync(file, `{"kinds":${JSON.stringify(data.kinds)},\n"types":[\n${lines.join(",\n")}\n]}\n`);
