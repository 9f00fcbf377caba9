/** Without the white space around it: what Go, and so Unicode, counts as such. In one go, however much there is. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charAt(start))) start++;
  while (end > start && isSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return /\p{White_Space}/u.test(character);
}
