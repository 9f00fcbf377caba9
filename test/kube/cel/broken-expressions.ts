/** Expressions with mistakes in them, from a fixed seed, and expressions that nest: both engines must say the same of them. */
import { createSeeded } from "../../../src/kube/testing/seeded.ts";

const WORDS = [
  ..."self a b x has map filter exists all optMap sortBy in true false null 1 - 1.5 1u 's' b'x' if for size int".split(
    " ",
  ),
  ..."( ) [ ] { } . , ? : ! && || == < + * / % # ` ' \" = & | é \\ `a` '\\q' Foo transformMap 99999999999999999999".split(
    " ",
  ),
  " ",
  "\n",
];

/** So many; each is one of `sound` with up to three mistakes, or words in a row. The same seed gives the same ones. */
export function brokenExpressions(sound: readonly string[], count: number, seed: number): readonly string[] {
  const seeded = createSeeded(seed);
  const wordsInARow = (): string =>
    Array.from({ length: 1 + seeded.below(9) }, () => seeded.pick(WORDS)).join(seeded.chance(0.5) ? "" : " ");
  const withMistakes = (): string => {
    const tokens = tokensOf(seeded.pick(sound));
    for (let left = 1 + seeded.below(3); left > 0; left--) {
      const at = seeded.below(tokens.length + 1);
      const kind = seeded.below(10);
      if (kind < 4) tokens.splice(at, 1);
      else if (kind < 9) tokens.splice(at, kind < 7 ? 0 : 1, seeded.pick(WORDS));
      else tokens.splice(at, 0, ...tokensOf(seeded.pick(sound)).slice(0, 4));
    }
    return tokens.join("");
  };
  return Array.from({ length: count }, () => (seeded.chance(0.35) ? wordsInARow() : withMistakes()));
}

function tokensOf(text: string): string[] {
  return text.match(/[A-Za-z_]\w*|[0-9.]+|'[^']*'|"[^"]*"|\s+|./gsu) ?? [];
}

/** Just below the limits of depth, at them and above. */
export function nestedExpressions(): readonly string[] {
  return [124, 125, 126, 249, 250, 251].flatMap((depth) => {
    const around = (open: string, close: string, inner = "1"): string =>
      `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
    return [
      ...["+1", "*1", "==1", "&&true", "+1*1", "*1+1"].map((more) => `1${more.repeat(depth)}`),
      ...[".a", ".a()", "[0]", ".?a", "[?0]", "+self.a"].map((more) => `self${more.repeat(depth)}`),
      ...["!", "-", "true?1:", "1+", "1+1*"].map((more) => `${more.repeat(depth)}1`),
      around("(", ")"),
      around("[", "]"),
      around("{1:", "}"),
      around("-(", ")"),
      around("1+(", ")"),
      around("1==(1+", ")"),
      around("(1==1&&", ")", "true"),
      around("size([", "])"),
      around("dyn(", ".a)", "self"),
      around("self.a[", "]"),
      around("[1].exists(x,", ")", "true"),
    ];
  });
}

/** More mistakes than are told, or than anybody tries to go on behind. */
export const TOO_BROKEN: readonly string[] = [
  ...[99, 100, 101, 150].map((count) => "#".repeat(count)),
  `${"# ".repeat(150)}1 1`,
  `[1,${"1 1,".repeat(40)}1]`,
  `1 ${"1 ".repeat(300)}`,
  `[${"f(1 2),".repeat(40)}]`,
];
