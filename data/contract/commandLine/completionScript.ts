/** What of a command a shell completes; a commander command is one. */
export type CommandTree = {
  name(): string;
  readonly commands: readonly CommandTree[];
  readonly options: readonly { readonly long?: string | undefined }[];
};

export const completionShells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof completionShells)[number];

type Place = { readonly path: string; readonly words: string };

/** A script that completes commands and long options of a program. */
export function completionScript(program: CommandTree, shell: CompletionShell): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](program);
}

function bashScript(program: CommandTree): string {
  const name = program.name();
  const call = functionName(name);
  return [
    `${call}() {`,
    '  local words="" path="" word current="${COMP_WORDS[COMP_CWORD]}"',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path="$path $word"; done',
    '  case "${path# }" in',
    ...places(program, []).map(({ path, words }) => `    "${path}") words="${words}" ;;`),
    '    *) compopt -o default; return ;;',
    '  esac',
    '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")',
    '}',
    `complete -o default -F ${call} ${name}`,
    '',
  ].join('\n');
}

function zshScript(program: CommandTree): string {
  const name = program.name();
  const call = functionName(name);
  return [
    `#compdef ${name}`,
    `${call}() {`,
    '  local path_="" word',
    '  for word in "${(@)words[2,CURRENT-1]}"; do [[ $word == -* ]] || path_="$path_ $word"; done',
    '  case "${path_# }" in',
    ...places(program, []).map(({ path, words }) => `    "${path}") compadd -- ${words} ;;`),
    '    *) _files ;;',
    '  esac',
    '}',
    `compdef ${call} ${name}`,
    '',
  ].join('\n');
}

function fishScript(program: CommandTree): string {
  const name = program.name();
  const call = functionName(name);
  return [
    `function ${call}`,
    '  set -l path',
    '  for word in (commandline -opc)[2..]',
    "    string match -q -- '-*' $word; or set -a path $word",
    '  end',
    '  switch "$path"',
    ...places(program, []).flatMap(({ path, words }) => [
      `    case '${path}'`,
      `      string split ' ' -- '${words}'`,
    ]),
    '  end',
    'end',
    `complete -c ${name} -a '(${call})'`,
    '',
  ].join('\n');
}

function functionName(program: string): string {
  return `_${program.replaceAll('-', '_')}`;
}

function places(command: CommandTree, path: readonly string[]): Place[] {
  const names = command.commands.map((child) => child.name());
  const options = command.options.map(({ long }) => long).filter((long) => typeof long === 'string');
  return [
    { path: path.join(' '), words: [...names, ...options, '--help'].join(' ') },
    ...command.commands.flatMap((child) => places(child, [...path, child.name()])),
  ];
}
