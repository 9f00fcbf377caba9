/**
 * Decodes Huffman's code half an octet at a time. A state is an inner node of the tree of codes: how far into a code the half octets
 * up to now have come. No code is shorter than five bits, so that four bits end one at most, and a step gives a symbol or none.
 */
import { HpackError } from "./hpack-error.ts";
import { END_OF_STRING, huffmanCodes } from "./huffman-code.ts";

/** Every inner node has two children: 257 symbols make 256 of them. */
const STATES = 256;
const ROOT = 0;

/** A step: the next state, and in the bits above it whether it may be the last, has a symbol, is an error; and the symbol. */
const STATE = 0xff;
const MAY_END = 1 << 8;
const HAS_SYMBOL = 1 << 9;
const WRONG = 1 << 10;
const SYMBOL_SHIFT = 16;

const STEPS = makeSteps(makeTree());

/** The text of the octets from `start` to `end`. Throws `HpackError` when they are no such code. */
export function decodeHuffman(octets: Buffer, start: number, end: number): string {
  const text = Buffer.allocUnsafe(((end - start) * 8) / 5);
  let length = 0;
  let step = MAY_END | ROOT;
  for (let position = start; position < end; position++) {
    const octet = octets[position] ?? 0;
    step = STEPS[((step & STATE) << 4) | (octet >> 4)] ?? WRONG;
    if ((step & (HAS_SYMBOL | WRONG)) !== 0) {
      if ((step & WRONG) !== 0) break;
      text[length++] = step >> SYMBOL_SHIFT;
    }
    step = STEPS[((step & STATE) << 4) | (octet & 0xf)] ?? WRONG;
    if ((step & (HAS_SYMBOL | WRONG)) !== 0) {
      if ((step & WRONG) !== 0) break;
      text[length++] = step >> SYMBOL_SHIFT;
    }
  }
  if ((step & WRONG) !== 0) throw new HpackError("a Huffman-coded text has the end of a string in it");
  if ((step & MAY_END) === 0) throw new HpackError("a Huffman-coded text is not padded with up to seven ones");
  return text.toString("latin1", 0, length);
}

/** Two children for each inner node, in turn: an inner node by its number, a symbol by -1 - itself. */
function makeTree(): Int16Array {
  const children = new Int16Array(STATES * 2);
  let nodes = 1;
  for (const { symbol, code, length } of huffmanCodes()) {
    let node = ROOT;
    for (let bit = length - 1; bit > 0; bit--) {
      const child = node * 2 + ((code >> bit) & 1);
      // The root is nobody's child, so that a zero is a child that there is not yet.
      if (children[child] === 0) children[child] = nodes++;
      node = children[child] ?? 0;
    }
    children[node * 2 + (code & 1)] = -1 - symbol;
  }
  return children;
}

/** Sixteen steps for each state, one for each half octet. */
function makeSteps(children: Int16Array): Int32Array {
  const steps = new Int32Array(STATES * 16);
  const mayEnd = paddings(children);
  for (let index = 0; index < steps.length; index++) {
    let node = index >> 4;
    let step = 0;
    for (let bit = 3; bit >= 0; bit--) {
      const child = children[node * 2 + ((index >> bit) & 1)] ?? 0;
      const symbol = -1 - child;
      if (symbol === END_OF_STRING) step |= WRONG;
      else if (symbol >= 0) step |= HAS_SYMBOL | (symbol << SYMBOL_SHIFT);
      node = Math.max(child, ROOT);
    }
    steps[index] = step | node | (mayEnd.has(node) ? MAY_END : 0);
  }
  return steps;
}

/** The states after up to seven ones: a text is padded with the beginning of the code for its end. */
function paddings(children: Int16Array): Set<number> {
  const states = new Set([ROOT]);
  for (let node = ROOT; states.size <= 7; states.add(node)) node = children[node * 2 + 1] ?? 0;
  return states;
}
