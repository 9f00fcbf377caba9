/** When a CronJob runs: five fields, or a word for them. Says what is wrong in the words of the parser that Kubernetes uses. */

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** What is wrong with a schedule; undefined when it is one. Zones are told of elsewhere. */
export function scheduleProblem(schedule: string): string | undefined {
  const spec = schedule.replace(/^(?:CRON_)?TZ=\S* ?/, "").trim();
  if (spec.startsWith("@")) return descriptorProblem(spec);
  const fields = spec === "" ? [] : spec.split(/\s+/);
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    const bounds = FIELDS[index];
    if (bounds === undefined) continue;
    // A comma alone says nothing, and is not minded.
    for (const part of field.split(",").filter((each) => each !== "")) {
      const problem = rangeProblem(part, bounds);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.includes(text)) return undefined;
  const every = "@every ";
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (/^[-+]?(?:0|(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function rangeProblem(expression: string, bounds: Bounds): string | undefined {
  const [range = "", step, ...moreSteps] = expression.split("/");
  const [low = "", high, ...moreEnds] = range.split("-");
  const { min, max } = bounds;
  let [start, end] = [min, max];
  if (low !== "*" && low !== "?") {
    const first = numberIn(low, bounds);
    if (typeof first === "string") return first;
    start = first;
    if (moreEnds.length > 0) return `too many hyphens: ${expression}`;
    const last = high === undefined ? start : numberIn(high, bounds);
    if (typeof last === "string") return last;
    end = last;
  }
  if (moreSteps.length > 0) return `too many slashes: ${expression}`;
  const by = step === undefined ? 1 : numberIn(step, { min: 0, max: 0 });
  if (typeof by === "string") return by;
  if (step !== undefined && high === undefined) end = max;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${expression}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return by === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or what is wrong with it. */
function numberIn(text: string, { names = [], min }: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index !== -1) return index + min;
  if (/^[-+]?\d+$/.test(text)) {
    const value = Number(text);
    return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
  }
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
