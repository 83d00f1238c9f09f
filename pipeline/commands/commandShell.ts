import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/terminal.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import commands from './commands.json' with { type: 'json' };

/** What a command line gives its commands; only `cli.ts` knows the process. */
export type CommandShell = {
  /** JSON lines instead of text. */
  readonly json: boolean;
  /** The run-time root unless another is given. */
  readonly defaultData: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  /** Aborted when the night is asked to stop. */
  readonly signal: AbortSignal;
  storeEffects(): StoreEffects;
  /** Null where a person would have to type it. */
  readonly stdin: Readable | null;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Lines for a reader: nothing in them drives the terminal. */
  print(text: string): void;
  /** Bytes for a program, as they are. */
  printData(text: string): void;
  /** One sentence beside the result, apart from it. */
  notice(text: string): void;
  printJson(value: unknown): void;
};

/** What `--help` says of a command, by the name of its group and its own. */
const texts: Readonly<Record<string, { readonly description: string; readonly help?: readonly string[] }>> =
  commands;

/** A command with the options every command has, described in `commands.json`. */
export function shellCommand(parent: Command, shell: CommandShell, name: string): Command {
  const { description = '', help = [] } = texts[`${parent.name()} ${name}`] ?? {};
  return parent
    .command(name)
    .description(description)
    .addHelpText('after', help.length === 0 ? '' : `\n${help.join('\n')}`)
    .option('--data <dir>', 'run-time root: raw, warehouse, artifacts, keys (or II_DATA)', shell.defaultData)
    .option('--json', 'JSON lines instead of text', false)
    .allowExcessArguments(false);
}

/** The result of a command: a value with `--json`, else a text in 80 columns. */
export function show(shell: CommandShell, value: unknown, text: string): void {
  if (shell.json) shell.printJson(value);
  else shell.print(fitColumns(text));
}

/** Changes the releases of a store with the right to publish them; `alone` under the lock of the night, too. */
export async function changeReleases<T>(
  { environment, signal, storeEffects }: CommandShell,
  { layout, alone = false }: { readonly layout: DataLayout; readonly alone?: boolean },
  act: (effects: StoreEffects, restored: readonly string[]) => Promise<T>,
): Promise<T> {
  const { withNightlyLock } = await import('../nightly/nightlyLock.ts');
  const { withPublishing } = await import('../stores/withPublishing.ts');
  const effects = storeEffects();
  return withPublishing({ layout, environment, effects, signal }, (restored) =>
    alone
      ? withNightlyLock({ path: layout.lock, effects }, () => act(effects, restored))
      : act(effects, restored),
  );
}
