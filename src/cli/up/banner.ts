/** What somebody sees who has just started a cluster: that it is there, and what to type next. */

export interface Started {
  readonly url: string;
  readonly kubeconfig: string;
  readonly milliseconds: number;
}

export function banner({ url, kubeconfig, milliseconds }: Started): string {
  return [
    `An empty Kubernetes API is ready at ${url}, after ${(milliseconds / 1000).toFixed(2)} s.`,
    "",
    `  export KUBECONFIG=${quoted(kubeconfig)}`,
    "  kubectl get namespaces",
    "  kubectl api-resources",
    "",
    "Everything is kept; Ctrl-C stops it, and the next start goes on from here.",
    "",
  ].join("\n");
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
