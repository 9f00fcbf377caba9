/**
 * Work that others have asked for in one go. A single read from a connection may hold thousands of requests, and each begins with all that it does
 * before it first waits: a few are begun at once, the rest a few at a time, with turns for other connections between. What is begun must not throw.
 */
export type Begin = (work: () => void) => void;

/** As many as an ordinary client asks for at a time. */
const FEW = 16;

/** What the next turn brings. It is one turn for all connections: nearly every request asks for one, and each by itself would be dearer than what it is for. */
const asked: (() => void)[] = [];

function inNextTurn(work: () => void): void {
  if (asked.push(work) === 1) setImmediate(takeTurn);
}

function takeTurn(): void {
  for (const work of asked.splice(0)) work();
}

/** In the order in which they come. */
export function createFewPerTurn(): Begin {
  const waiting: (() => void)[] = [];
  let [begun, isAsked] = [0, false];

  function nextTurn(): void {
    isAsked = false;
    begun = 0;
    for (const work of waiting.splice(0, FEW)) {
      begun++;
      work();
    }
    if (waiting.length > 0) ask();
  }

  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    inNextTurn(nextTurn);
  }

  return (work) => {
    ask();
    if (begun >= FEW || waiting.length > 0) {
      waiting.push(work);
      return;
    }
    begun++;
    work();
  };
}
