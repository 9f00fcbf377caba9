/**
 * Two texts as one template: `more` when the condition holds, else `base`. Every line of `base` must be in `more`, in the
 * same order; throws otherwise. However lines are matched, each side comes out as it went in.
 */
export function interleave(base: string, more: string, condition: string): string {
  const rest = lines(base);
  const result: string[] = [];
  let inside = false;
  const turn = (into: boolean): void => {
    if (into !== inside) result.push(into ? `{{- if ${condition} }}` : "{{- end }}");
    inside = into;
  };
  for (const line of lines(more)) {
    const common = line === rest[0];
    if (common) rest.shift();
    turn(!common);
    result.push(line);
  }
  turn(false);
  if (rest.length > 0) throw new Error(`the two texts differ by more than lines that are added: ${rest[0]}`);
  return result.map((line) => `${line}\n`).join("");
}

function lines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
