import type { Command } from 'commander';

/** A bash completion script for the commands and long options of a program. */
export function bashCompletion(program: Command): string {
  const cases = commandPaths(program, []).map(({ path, words }) => `    "${path}") words="${words}" ;;`);
  return [
    '_issuer() {',
    '  local words="" path="" word current="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path="$path $word"; done',
    '  case "${path# }" in',
    ...cases,
    '    *) compopt -o default; return ;;',
    '  esac',
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
    '}',
    'complete -o default -F _issuer issuer',
    '',
  ].join('\n');
}

function commandPaths(command: Command, path: readonly string[]): { path: string; words: string }[] {
  const names = command.commands.map((child) => child.name());
  const options = command.options.map((option) => option.long).filter((long) => typeof long === 'string');
  return [
    { path: path.join(' '), words: [...names, ...options, '--help'].join(' ') },
    ...command.commands.flatMap((child) => commandPaths(child, [...path, child.name()])),
  ];
}
