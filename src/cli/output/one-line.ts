/**
 * Text from outside (names, messages of drivers) as part of a line: line breaks and other control characters become
 * spaces. They would tear tables apart, and a terminal takes some of them for commands.
 */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
