/** Which types stand for those that are yet to be found out, and whether a value of one type may stand for another. */
import { DYN, isExactly, listOf, mapOf, opaque, type Type, typeOf } from "./types.ts";

export class Substitutions {
  readonly #known = new Map<string, Type>();
  /** What a name stood for before, for a trial that fails. */
  #log: (readonly [string, Type | undefined])[] = [];
  #count = 0;

  fresh(): Type {
    return { kind: "param", name: `_var${this.#count++}`, params: [], size: 1 };
  }

  find(type: Type): Type | undefined {
    return type.kind === "param" ? this.#known.get(type.name) : undefined;
  }

  #set(type: Type, to: Type): void {
    this.#log.push([type.name, this.#known.get(type.name)]);
    this.#known.set(type.name, to);
  }

  /** Whether a value of `from` may be used as `to`; what was learned on the way is kept only if so. */
  assign(from: Type, to: Type): boolean {
    return this.assignAll([from], [to]);
  }

  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    this.#log = [];
    const fits = this.#fitAll(from, to);
    if (!fits) {
      for (const [name, before] of this.#log.toReversed())
        if (before === undefined) this.#known.delete(name);
        else this.#known.set(name, before);
    }
    this.#log = [];
    return fits;
  }

  /** The type with all that is known put in; what is not becomes `dyn` when asked for. */
  resolve(type: Type, unknownToDyn: boolean): Type {
    const found = this.find(type);
    if (found !== undefined) return this.resolve(found, unknownToDyn);
    const inner = () => type.params.map((each) => this.resolve(each, unknownToDyn));
    switch (type.kind as string) {
      case "param":
        return unknownToDyn ? DYN : type;
      case "list":
        return listOf(inner()[0] as Type);
      case "map": {
        const [key, value] = inner();
        return mapOf(key as Type, value as Type);
      }
      case "opaque":
        return type.params.length === 0 ? type : opaque(type.name, ...inner());
      case "type":
        return type.params.length === 0 ? type : typeOf(inner()[0] as Type);
      default:
        return type;
    }
  }

  #fitAll(from: readonly Type[], to: readonly Type[]): boolean {
    return from.length === to.length && from.every((each, index) => this.#fits(each, to[index] as Type));
  }

  #fits(from: Type, to: Type): boolean {
    if (to.kind === "param") {
      const { fits, wasKnown } = this.#standsFor(from, to);
      if (fits) return true;
      if (wasKnown) return false;
    }
    if (from.kind === "param") return this.#standsFor(to, from).fits;
    if (isAnything(from) || isAnything(to)) return true;
    if (from.kind === "null") return isNullable(to);
    if (to.kind === "null") return isNullable(from);
    switch (from.kind as string) {
      case "type":
        return to.kind === "type";
      case "opaque":
      case "list":
      case "map":
        return from.kind === to.kind && from.name === to.name && this.#fitAll(from.params, to.params);
      default:
        return from.kind === to.kind && from.name === to.name;
    }
  }

  /** Whether the unknown type may be `type`. */
  #standsFor(type: Type, unknown: Type): { fits: boolean; wasKnown: boolean } {
    if (type.kind === unknown.kind && isExactly(type, unknown)) return { fits: true, wasKnown: true };
    const known = this.find(unknown);
    if (known !== undefined) {
      if (type.kind === known.kind && isExactly(type, known)) return { fits: true, wasKnown: true };
      if (!this.#fits(type, known)) return { fits: false, wasKnown: true };
      const wider = moreGeneral(type, known);
      if (!this.#occursIn(unknown, wider)) this.#set(unknown, wider);
      return { fits: true, wasKnown: true };
    }
    if (this.#occursIn(unknown, type)) return { fits: false, wasKnown: false };
    this.#set(unknown, type);
    return { fits: true, wasKnown: false };
  }

  #occursIn(unknown: Type, type: Type): boolean {
    if (isExactly(unknown, type)) return true;
    if (type.kind === "param") {
      const known = this.find(type);
      return known !== undefined && this.#occursIn(unknown, known);
    }
    return type.params.some((each) => this.#occursIn(unknown, each));
  }
}

/** The more general of two types that fit together. */
export function moreGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === "dyn" || a.kind === "param") return true;
  if (b.kind === "dyn" || b.kind === "param" || a.kind !== b.kind) return false;
  switch (a.kind as string) {
    case "opaque":
    case "list":
    case "map":
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((each, index) => isLessSpecific(each, b.params[index] as Type))
      );
    case "type":
      return true;
    default:
      return isExactly(a, b);
  }
}

function isAnything(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isNullable({ kind }: Type): boolean {
  return kind === "null" || kind === "opaque" || kind === "struct" || kind === "duration" || kind === "timestamp";
}
