/** Bodies that are made piece by piece. */

/** All of it, when there is but one piece; otherwise the pieces, each made when it is asked for. */
export function bytesOf(body: string | Buffer | Iterable<string>): Buffer | Iterable<string> {
  if (typeof body === "string") return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  const pieces = body[Symbol.iterator]();
  const first = pieces.next().value ?? "";
  const second = pieces.next();
  return second.done === true ? Buffer.from(first) : theRest([first, second.value], pieces);
}

function* theRest(begun: readonly string[], pieces: Iterator<string>): Generator<string, void> {
  yield* begun;
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) yield next.value;
}

/** Each to be kept for as long as one likes. */
export function* asBuffers(pieces: Iterable<string>): Generator<Buffer, void> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** Each good until the next is asked for: they share their memory. */
export function* asPassingBuffers(pieces: Iterable<string>): Generator<Buffer, void> {
  let memory: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const length = Buffer.byteLength(piece);
    if (length > memory.length) memory = Buffer.allocUnsafe(length + length / 8);
    yield memory.subarray(0, memory.write(piece));
  }
}
