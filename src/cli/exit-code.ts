/** What the program says to the shell; docs/exit-codes.md explains it to people. */
export const EXIT = {
  /** It was done, or a plan would be. */
  done: 0,
  /** It was refused or has failed, with the reason and the way out. */
  refused: 1,
  /** The command line or the input could not be understood. */
  usage: 2,
  /** Somebody pressed Ctrl-C while it watched. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
