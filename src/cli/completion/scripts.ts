/**
 * The scripts that shells read. Verbs and flags stand in them; names of sets and claims, and of a set's templates, are asked
 * for at the moment, from the hidden verb `__complete`.
 */
import type { VerbWords } from "./words.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The verbs that are given something in the cluster. */
export const WITH_TARGET: readonly string[] = ["plan", "resize", "status", "watch", "recover"];

/** Those whose words are asked for at the moment. */
export const ASKING: readonly string[] = [...WITH_TARGET, "sources"];

export function scriptFor(shell: Shell, verbs: readonly VerbWords[]): string {
  switch (shell) {
    case "bash":
      return bash(verbs);
    case "zsh":
      return zsh(verbs);
    case "fish":
      return fish(verbs);
  }
}

const namesOf = (verbs: readonly VerbWords[]): string => verbs.map(({ name }) => name).join(" ");
const flagsOf = ({ flags }: VerbWords): string => flags.map(({ long }) => long).join(" ");

function bash(verbs: readonly VerbWords[]): string {
  return `# bash completion for outgrow. For this shell: source <(outgrow completion bash)
_outgrow() {
  local current=\${COMP_WORDS[COMP_CWORD]} verb= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${verbs.map(({ name }) => name).join("|")}) verb=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $verb:$current in
${verbs.map((verb) => `  ${verb.name}:-*) words="${flagsOf(verb)}" ;;`).join("\n")}
  :*) words="${namesOf(verbs)}" ;;
  completion:*) words="${SHELLS.join(" ")}" ;;
  ${ASKING.map((name) => `${name}:*`).join("|")})
    words=$(outgrow __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _outgrow outgrow
`;
}

function zsh(verbs: readonly VerbWords[]): string {
  return `#compdef outgrow
# zsh completion for outgrow. For this shell: source <(outgrow completion zsh)
_outgrow() {
  local current=\${words[CURRENT]} verb= word
  local -a found
  for word in \${words[2,CURRENT-1]}; do
    case $word in
    (${verbs.map(({ name }) => name).join("|")}) verb=$word; break ;;
    esac
  done
  case $verb:$current in
${verbs.map((verb) => `  (${verb.name}:-*) found=(${flagsOf(verb)}) ;;`).join("\n")}
  (:*) found=(${namesOf(verbs)}) ;;
  (completion:*) found=(${SHELLS.join(" ")}) ;;
  (${ASKING.map((name) => `${name}:*`).join("|")})
    found=(\${(f)"$(outgrow __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"}) ;;
  esac
  (( \${#found} )) || { _files; return }
  compadd -S '' -- \${(M)found:#*=}
  compadd -- \${found:#*=}
}
compdef _outgrow outgrow
`;
}

function fish(verbs: readonly VerbWords[]): string {
  const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = verbs.flatMap(({ name, summary, flags }) => [
    `complete -c outgrow -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...flags.map(({ long, short, summary: about, takesValue }) =>
      [
        `complete -c outgrow -n ${quote(`__fish_seen_subcommand_from ${name}`)} -l ${long.slice(2)}`,
        ...(short === "" ? [] : [`-s ${short.slice(1)}`]),
        // What a flag takes may be a file; elsewhere none is meant.
        ...(takesValue ? ["-r", "-F"] : []),
        `-d ${quote(about)}`,
      ].join(" "),
    ),
  ]);
  const targets = quote(`__fish_seen_subcommand_from ${ASKING.join(" ")}`);
  const asked = quote("(outgrow __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)");
  return `# fish completion for outgrow. For this shell: outgrow completion fish | source
complete -c outgrow -f
${lines.join("\n")}
complete -c outgrow -n '__fish_seen_subcommand_from completion' -a ${quote(SHELLS.join(" "))}
complete -c outgrow -n ${targets} -a ${asked}
`;
}
