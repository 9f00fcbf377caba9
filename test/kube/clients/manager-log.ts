/** What kube-controller-manager complains of in its log, without what it must complain of here. */

interface Expected {
  readonly error: RegExp;
  readonly why: string;
}

const EXPECTED: readonly Expected[] = [
  { error: /The manifest file is empty, ignoring/, why: "its own: it serves nothing here" },
  {
    error:
      /\bnot found\b|has just been deleted|is being deleted|because it is being terminated|updated StatefulSet from lister/,
    why: "what it is about is deleted by the tests, with their namespaces, while controllers look at it",
  },
  {
    error: /is not as new as written version|the object has been modified|already exists/,
    why: "a controller is behind its own writes, or those of another; it looks again",
  },
  {
    error: /Precondition failed: UID in precondition/,
    why: "a controller still has the one that was there before under the same name: a claim after scaling down and up again",
  },
];

/** The error lines that nothing in the list explains. */
export function unexpected(log: string): readonly string[] {
  const errors = log.split("\n").filter((line) => /^E\d{4} /.test(line));
  return errors.filter((line) => !EXPECTED.some(({ error }) => error.test(line)));
}
