/** Texts as CEL sees them: characters are code points, and their order is that of their bytes in UTF-8. */

/** How many characters a text has. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // The second half of a pair, where there is a first.
    if (unit >= 0xdc00 && unit <= 0xdfff && index > 0 && isFirstHalf(text.charCodeAt(index - 1))) length--;
  }
  return length;
}

export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    // Halves of pairs stand for characters beyond all single units.
    const [isLeftHigh, isRightHigh] = [left >= 0xd800 && left <= 0xdfff, right >= 0xd800 && right <= 0xdfff];
    if (isLeftHigh !== isRightHigh) return isLeftHigh ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
