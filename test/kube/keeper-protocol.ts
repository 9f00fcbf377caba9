/** What a keeper and the process that started it say to each other. */

/** A program to run. Its output goes to `log`, from the start; it has no input. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly log: string;
}

export type KeeperRequest =
  | { readonly kind: "start"; readonly id: number; readonly program: Program }
  | { readonly kind: "kill"; readonly id: number };

export type KeeperReport =
  | { readonly kind: "started"; readonly id: number; readonly pid: number }
  | { readonly kind: "ended"; readonly id: number; readonly how: string };
