/**
 * An explicit-state model checker: visits every state that a model can reach, and checks two things.
 *
 * Safety: no reachable state breaks an invariant. States are visited breadth first, so the story that leads to a broken
 * one is the shortest there is.
 *
 * Settling: from every reachable state, if from then on only *fair* things happen (nobody interferes, nothing fails),
 * the model ends in a settled state. That is checked over the whole graph: along fair moves there is no unsettled dead
 * end and no cycle of unsettled states.
 */

/** One thing that can happen next. */
export interface Move<S> {
  /** One sentence of the story, as a person would tell it. */
  readonly label: string;
  readonly next: S;
  /** It happens by itself, sooner or later, once nobody interferes and nothing fails. */
  readonly fair: boolean;
}

export interface Model<S> {
  readonly name: string;
  readonly initial: readonly S[];
  /** Two states with the same key are the same state. */
  key(state: S): string;
  moves(state: S): readonly Move<S>[];
  /** Which invariant is broken, and how; undefined when all hold. `before` is where the move started. */
  broken(state: S, before: S | undefined): string | undefined;
  /** Nothing is left to be done, and everything is as it should be. */
  settled(state: S): boolean;
}

export interface Violation {
  readonly rule: string;
  /** What happened, from the beginning, one sentence each. */
  readonly story: readonly string[];
}

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  readonly milliseconds: number;
  /** False when the search was cut at `maxStates`: then nothing is proved. */
  readonly complete: boolean;
  readonly violation?: Violation;
}

export function explore<S>(model: Model<S>, options: { maxStates?: number } = {}): Exploration {
  const started = performance.now();
  const maxStates = options.maxStates ?? Number.POSITIVE_INFINITY;
  const graph = new Graph<S>();
  let transitions = 0;
  let complete = true;

  const finish = (violation?: Violation): Exploration => ({
    states: graph.size,
    transitions,
    milliseconds: performance.now() - started,
    complete,
    ...(violation === undefined ? {} : { violation }),
  });

  for (const state of model.initial) {
    const rule = model.broken(state, undefined);
    const { index } = graph.visit(model.key(state), state, -1, "");
    if (rule !== undefined) return finish({ rule, story: graph.storyOf(index) });
  }
  for (let index = 0; index < graph.size; index++) {
    const state = graph.stateAt(index);
    const fair: number[] = [];
    for (const move of model.moves(state)) {
      transitions++;
      const key = model.key(move.next);
      const { index: next, isNew } = graph.visit(key, move.next, index, move.label);
      if (move.fair && next !== index) fair.push(next);
      // An invariant may speak of the step, not only of the state it leads to, so every edge is looked at.
      const rule = model.broken(move.next, state);
      if (rule !== undefined) return finish({ rule, story: [...graph.storyOf(index), move.label] });
      if (isNew && graph.size >= maxStates) {
        complete = false;
        return finish();
      }
    }
    graph.close(index, fair, model.settled(state));
  }
  return finish(graph.findUnsettled());
}

/** The states that were found, how each was reached first, and the fair moves between them. */
class Graph<S> {
  readonly #indexes = new Map<string, number>();
  readonly #states: (S | undefined)[] = [];
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  /** Fair successors; undefined for settled states, at which the search for an unsettled end stops. */
  readonly #fair: (readonly number[] | undefined)[] = [];

  get size(): number {
    return this.#states.length;
  }

  stateAt(index: number): S {
    return this.#states[index] as S;
  }

  visit(key: string, state: S, parent: number, label: string): { index: number; isNew: boolean } {
    const known = this.#indexes.get(key);
    if (known !== undefined) return { index: known, isNew: false };
    const index = this.#states.length;
    this.#indexes.set(key, index);
    this.#states.push(state);
    this.#parents.push(parent);
    this.#labels.push(label);
    return { index, isNew: true };
  }

  /** All moves from here are known; the state itself is no longer needed. */
  close(index: number, fair: readonly number[], settled: boolean): void {
    this.#fair[index] = settled ? undefined : fair;
    this.#states[index] = undefined;
  }

  storyOf(index: number): string[] {
    const story: string[] = [];
    for (let at = index; at >= 0; at = this.#parents[at] as number) {
      const label = this.#labels[at];
      if (label !== undefined && label !== "") story.push(label);
    }
    return story.reverse();
  }

  /** Depth-first search along fair moves for a dead end that is not settled, or a way round that never settles. */
  findUnsettled(): Violation | undefined {
    const UNSEEN = 0;
    const ON_PATH = 1;
    const DONE = 2;
    const color = new Uint8Array(this.size);
    const nextEdge = new Uint32Array(this.size);
    for (let root = 0; root < this.size; root++) {
      if (color[root] !== UNSEEN) continue;
      const path = [root];
      color[root] = ON_PATH;
      while (path.length > 0) {
        const at = path.at(-1) as number;
        const fair = this.#fair[at];
        if (fair !== undefined && fair.length === 0) {
          return { rule: "settles: nothing more happens here, and it is not settled", story: this.storyOf(at) };
        }
        const edge = nextEdge[at] as number;
        const next = fair?.[edge];
        if (next === undefined) {
          color[at] = DONE;
          path.pop();
        } else {
          nextEdge[at] = edge + 1;
          if (color[next] === ON_PATH) {
            const round = [...path.slice(path.indexOf(next)), next];
            return { rule: "settles: this goes round for ever", story: this.#storyOfRound(round) };
          }
          if (color[next] === UNSEEN) {
            color[next] = ON_PATH;
            path.push(next);
          }
        }
      }
    }
    return undefined;
  }

  #storyOfRound(round: readonly number[]): string[] {
    const [first = 0] = round;
    const steps = round.slice(1).map((index) => `… then: ${this.#labels[index]}`);
    return [...this.storyOf(first), "and from there, over and over:", ...steps];
  }
}
