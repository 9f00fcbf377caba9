/** The places of an object that a chart's user fills in: put into the object first, turned into template text after it was printed. */
import type { Manifest } from "../../src/cli/manifests/part.ts";

/** The lines that stand at a place: given its indentation, its key, and what we have there. */
export type Hole = (indent: string, key: string, ours: unknown) => string;

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

/** A map or list that is left out when it is empty; `lines` are what stands below the key, `.` being the value. */
export const optional =
  (expression: string, ...lines: readonly string[]): Hole =>
  (indent, key) =>
    [
      `${indent}{{- with ${expression} }}`,
      `${indent}${key}:`,
      ...(lines.length === 0
        ? [`  {{- toYaml . | nindent ${indent.length + 2} }}`]
        : lines.map((line) => `  ${line}`)
      ).map((line) => indent + line),
      `${indent}{{- end }}`,
    ].join("\n");

/** Where in an object: `spec.template.spec.containers.0.image`. */
export type Holes = Readonly<Record<string, Hole>>;

const MARK = "HOLE-IN-THE-CHART-";
const LINE = new RegExp(`^( *)(- )?([A-Za-z]+): ${MARK}(\\d+)$`, "gm");

export interface Pierced {
  /**
   * A copy with holes in these places. Throws when the way to a place leads nowhere: the object is not as it was when the
   * place was written down.
   */
  readonly object: (manifest: Manifest, places: Holes) => Manifest;
  /** What was printed of copies, with all holes filled in. Throws when one was printed in a way that is not understood. */
  readonly text: (printed: string) => string;
}

export function pierce(): Pierced {
  const holes: ((indent: string, key: string) => string)[] = [];
  return {
    object: (manifest, places) => {
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
        const ours = parent[last];
        parent[last] = `${MARK}${holes.push((indent, key) => hole(indent, key, ours)) - 1}`;
      }
      return copy;
    },
    text: (printed) => {
      const filled = printed.replaceAll(LINE, (_, indent: string, dash = "", key: string, index: string) => {
        const inside = indent + " ".repeat(dash.length);
        return indent + dash + (holes[Number(index)]?.(inside, key) ?? "").slice(inside.length);
      });
      if (filled.includes(MARK)) throw new Error(`there are holes left in ${filled}`);
      return filled;
    },
  };
}
