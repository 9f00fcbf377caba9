/** `GET /version`: the Kubernetes whose API this is, and in the suffix that it is not that Kubernetes. */
import type { JsonObject } from "../json.ts";

const MAJOR = "1";
const MINOR = "36";

export function versionDocument(): JsonObject {
  return {
    major: MAJOR,
    minor: MINOR,
    emulationMajor: MAJOR,
    emulationMinor: MINOR,
    minCompatibilityMajor: MAJOR,
    minCompatibilityMinor: "35",
    gitVersion: `v${MAJOR}.${MINOR}.3+outgrow`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: `node${process.versions.node}`,
    compiler: "v8",
    platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
  };
}
