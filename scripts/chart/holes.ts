/** The places of an object that a chart's user fills in: put into the object first, turned into template text after it was printed. */
import type { Manifest } from "../../src/cli/manifests/part.ts";

/** What stands at a place: the lines for a key at this indentation. */
export type Hole = (indent: string, key: string) => string;

/** A value that is always there: `replicas: {{ .Values.replicas }}`. */
export const inline =
  (expression: string): Hole =>
  (indent, key) =>
    `${indent}${key}: {{ ${expression} }}`;

/** A map or list that is always there. */
export const block =
  (expression: string): Hole =>
  (indent, key) =>
    `${indent}${key}:\n${indent}  {{- toYaml ${expression} | nindent ${indent.length + 2} }}`;

/** A word or number that is left out when it is empty. */
export const optionalWord =
  (expression: string): Hole =>
  (indent, key) =>
    `${indent}{{- with ${expression} }}\n${indent}${key}: {{ . }}\n${indent}{{- end }}`;

/** A map or list that is left out when it is empty. */
export const optional =
  (expression: string): Hole =>
  (indent, key) =>
    [
      `${indent}{{- with ${expression} }}`,
      `${indent}${key}:`,
      `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`,
      `${indent}{{- end }}`,
    ].join("\n");

/** Where in an object: `spec.template.spec.containers.0.image`. */
export type Holes = Readonly<Record<string, Hole>>;

const MARK = "HOLE-IN-THE-CHART-";
const LINE = new RegExp(`^( *)(- )?([A-Za-z]+): ${MARK}(\\d+)$`, "gm");

/** Copies of objects with holes in them, and the way to fill in their text. */
export function pierce() {
  const holes: Hole[] = [];
  return {
    /** Throws when the way to a place leads nowhere: the object is not as it was when the place was written down. */
    object(manifest: Manifest, places: Holes): Manifest {
      const copy = structuredClone(manifest);
      for (const [path, hole] of Object.entries(places)) {
        const keys = path.split(".");
        const last = keys.pop() ?? "";
        let parent: Record<string, unknown> = copy;
        for (const key of keys) {
          const next = parent[key];
          if (typeof next !== "object" || next === null) {
            throw new Error(`${manifest.kind} ${manifest.metadata.name} has no ${path} any more`);
          }
          parent = next as Record<string, unknown>;
        }
        parent[last] = `${MARK}${holes.push(hole) - 1}`;
      }
      return copy;
    },
    /** What was printed, with all holes filled in. Throws when one was printed in a way that is not understood. */
    text(printed: string): string {
      const filled = printed.replaceAll(LINE, (_, indent: string, dash = "", key: string, index: string) => {
        const inside = indent + " ".repeat(dash.length);
        return indent + dash + (holes[Number(index)]?.(inside, key) ?? "").slice(inside.length);
      });
      if (filled.includes(MARK)) throw new Error(`there are holes left in ${filled}`);
      return filled;
    },
  };
}
