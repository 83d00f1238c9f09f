import type { Readable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../contract/errors/errorCodes.ts';
import { IssuerError } from '../contract/errors/issuerError.ts';
import { type CanonicalValue, canonicalJson } from '../contract/values/canonicalJson.ts';
import { printable, printableLines } from '../contract/values/printable.ts';
import type { CommandShell } from './commands/commandShell.ts';
import { mountCommands } from './commands/commands.ts';
import { realFiles, type StoreEffects, systemClock } from './effects.ts';
import { asIssuerError } from './nightly/asIssuerError.ts';
import { bashCompletion } from './nightly/bashCompletion.ts';
import { jsonLog, terminalLog } from './nightly/runLog.ts';
import { programVersion } from './programVersion.ts';

/** What the command line knows of its process. */
export type IssuerProcess = {
  /** `isTTY` of a terminal: long results are cut, and nothing in them drives it. */
  readonly out: { write(text: string): void; readonly isTTY?: boolean };
  /** `isTTY` of a terminal: progress is drawn in place. */
  readonly err: { write(text: string): void; readonly isTTY?: boolean };
  /** Standard input; left out where a person would have to type it. */
  readonly stdin?: Readable;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
};

/** Runs one command line of `issuer` and gives its exit code; what goes wrong is said on `out` or `err`. */
export async function runIssuer(args: readonly string[], issuerProcess: IssuerProcess): Promise<number> {
  const json = args.includes('--json');
  try {
    const program = await issuerProgram({ json, asked: args[0] }, issuerProcess);
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return fail(
      error instanceof CommanderError ? usageError(error) : asIssuerError(error),
      json,
      issuerProcess,
    );
  }
}

async function issuerProgram(
  { json, asked }: { readonly json: boolean; readonly asked: string | undefined },
  issuerProcess: IssuerProcess,
): Promise<Command> {
  const program = new Command('issuer')
    .description(
      'Solvency intelligence for public companies that hold crypto.\n\n' +
        'Every night: SEC archives → DuckDB warehouse → calculators → one signed, immutable release.\n' +
        'Every figure walks back to an accession number, a concept, a period and a unit.',
    )
    .version(await programVersion())
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: (text) => issuerProcess.out.write(text), writeErr: () => undefined })
    .addHelpText(
      'after',
      '\nStart here:\n  issuer nightly --source fixtures       real filed figures, no network, under a minute\n' +
        '  issuer query "select * from stress"    the same figures in SQL\n  issuer doctor                          is this machine ready?\n\n' +
        'Exit codes: 0 done · 1 internal · 2 usage · 3 input missing · 4 source refused · 5 validation failed,\n' +
        'nothing published · 6 published with degraded coverage · 75 locked, try later · 130 interrupted.',
    );
  const shell = commandShell(json, issuerProcess);
  await mountCommands(program, { shell, asked });
  program
    .command('completion')
    .description('print a bash completion script: eval "$(issuer completion)"')
    .action(() => issuerProcess.out.write(bashCompletion(program)));
  return program;
}

function commandShell(json: boolean, issuerProcess: IssuerProcess): CommandShell {
  return {
    json,
    defaultData: issuerProcess.environment['II_DATA'] ?? './data',
    environment: issuerProcess.environment,
    nodeVersion: issuerProcess.nodeVersion,
    signal: issuerProcess.signal,
    storeEffects: () => storeEffects(json, issuerProcess),
    stdin: issuerProcess.stdin ?? null,
    isTerminal: issuerProcess.out.isTTY === true,
    print: (text) => issuerProcess.out.write(printableLines(text)),
    printData: (text) => issuerProcess.out.write(text),
    notice: (text) => issuerProcess.err.write(`! ${printable(text)}\n`),
    printJson: (value) => issuerProcess.out.write(`${JSON.stringify(value)}\n`),
  };
}

function storeEffects(json: boolean, issuerProcess: IssuerProcess): StoreEffects {
  const clock = systemClock();
  const out = json ? issuerProcess.out : issuerProcess.err;
  const log =
    !json && issuerProcess.err.isTTY === true
      ? terminalLog({ clock, out, colour: issuerProcess.environment['NO_COLOR'] === undefined })
      : jsonLog({ clock, out });
  return { clock, log, files: realFiles() };
}

function usageError(error: CommanderError): IssuerError {
  // commander's last line is its suggestion
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = more.join(' ').replace(/[()]/g, '').trim();
  return new IssuerError({
    code: 'usage',
    message: `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`,
    hint: suggestion === '' ? 'See `issuer --help`, or `--help` after a command.' : suggestion,
  });
}

function fail(error: IssuerError, json: boolean, { out, err }: IssuerProcess): number {
  const { exitCode, code, message, hint, details } = error.toCli();
  if (json) {
    out.write(
      `${canonicalJson({ level: 'error', code, exit_code: exitCode, message, hint, details } as CanonicalValue)}\n`,
    );
  } else {
    err.write(`\n✗ ${printableLines(message)}\n  ${printableLines(hint)}${hint === '' ? '' : '\n'}`);
  }
  return exitCode;
}
