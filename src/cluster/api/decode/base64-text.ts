/** What is wrong with a text as base64, in the words of Go's `encoding/base64`. Line breaks are passed over, as there. */

const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DIGIT = /[A-Za-z0-9+/]/;
const PADDING = "=";

/** Undefined for what is base64 with its padding. */
export function base64Problem(text: string): string | undefined {
  const at = STANDARD.test(text) ? undefined : corruptAt(text);
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`;
}

/** The offset that Go names; undefined where everything is well but for line breaks. */
function corruptAt(text: string): number | undefined {
  let inGroup = 0;
  for (let at = skipBreaks(text, 0); at < text.length; at = skipBreaks(text, at + 1)) {
    const character = text.charAt(at);
    if (DIGIT.test(character)) inGroup = (inGroup + 1) % 4;
    else if (character !== PADDING || inGroup < 2) return at;
    else return afterPadding(text, skipBreaks(text, at + 1), inGroup);
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

/** Padding fills the last group, and nothing follows it. */
function afterPadding(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup === 3) return at < text.length ? at : undefined;
  if (at === text.length) return at;
  if (text.charAt(at) !== PADDING) return at - 1;
  return afterPadding(text, skipBreaks(text, at + 1), 3);
}

function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === "\n" || text.charAt(at) === "\r") at++;
  return at;
}
