import type { Readable } from 'node:stream';
import { Argument, Command, CommanderError } from 'commander';
import {
  type CompletionShell,
  completionScript,
  completionShells,
} from '../data/contract/commandLine/completionScript.ts';
import { fitColumns } from '../data/contract/commandLine/terminal.ts';
import { exitCodes } from '../data/contract/errors/errorCodes.ts';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import { type CanonicalValue, canonicalJson } from '../data/contract/values/canonicalJson.ts';
import { printable, printableLines } from '../data/contract/values/printable.ts';
import {
  mountBacktestCommand,
  mountCurrentReportsCommand,
  mountDoctorCommand,
  mountRecordCommand,
  mountRegistryCommands,
} from './commands/checkCommands.ts';
import type { CommandShell } from './commands/commandShell.ts';
import { mountBriefCommand, mountChartCommand, mountExplainCommand } from './commands/issuerCommands.ts';
import { mountBackfillCommand, mountNightlyCommand, mountSnapshotCommand } from './commands/nightCommands.ts';
import { mountReleaseCommands } from './commands/releaseCommands.ts';
import { mountExportCommand, mountQueryCommand } from './commands/warehouseCommands.ts';
import {
  buildMemory,
  type Log,
  peakMemoryBytes,
  realFiles,
  type StoreEffects,
  systemClock,
} from './effects.ts';
import { jsonLog, terminalLog } from './nightly/runLog.ts';
import { programVersion } from './programRoot.ts';

/** What the command line knows of its process. */
type IssuerProcess = {
  /** `isTTY` of a terminal: long results are cut, and nothing in them drives it. */
  readonly out: { write(text: string): void; readonly isTTY?: boolean };
  /** `isTTY` of a terminal: progress is rendered in place. */
  readonly err: { write(text: string): void; readonly isTTY?: boolean };
  /** Standard input; absent where a person would have to type it. */
  readonly stdin?: Readable;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
};

/**
 * Runs one command line of `issuer` and gives its exit code; what goes wrong is said on `out` or `err`. With `--quiet`
 * nothing is said of a run that ends with 0, and of every other one all but its progress on `err`.
 */
export async function runIssuer(args: readonly string[], issuerProcess: IssuerProcess): Promise<number> {
  if (!args.includes('--quiet') || asksForHelp(args)) return runAloud(args, issuerProcess);
  const held: string[] = [];
  const hold = { write: (text: string) => void held.push(text) };
  const exitCode = await runAloud(args, { ...issuerProcess, out: hold, err: hold });
  if (exitCode !== exitCodes.done) for (const text of held) issuerProcess.err.write(text);
  return exitCode;
}

function asksForHelp(args: readonly string[]): boolean {
  return ['--help', '-h', '--version', '-V'].some((flag) => args.includes(flag));
}

async function runAloud(args: readonly string[], issuerProcess: IssuerProcess): Promise<number> {
  const json = args.includes('--json');
  try {
    const program = await issuerProgram(args, issuerProcess);
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    if (error instanceof CommanderError) return fail(usageError(error), json, issuerProcess);
    const { asIssuerError } = await import('./nightly/asIssuerError.ts');
    return fail(asIssuerError(error), json, issuerProcess);
  }
}

/** The commands of `issuer`, declared; none has loaded its work. */
export async function issuerProgram(args: readonly string[], issuerProcess: IssuerProcess): Promise<Command> {
  const program = new Command('issuer')
    .description(
      'Solvency intelligence for public companies that hold crypto.\n\n' +
        'Every night: SEC archives → DuckDB warehouse → calculators → one signed release.\n' +
        'Every figure walks back to an accession number, a concept, a period and a unit.',
    )
    .version(await programVersion())
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => issuerProcess.out.write(fitColumns(text)),
      writeErr: () => undefined,
    })
    .addHelpText(
      'after',
      '\nStart here:\n  issuer nightly --source fixtures       real filed figures, no network\n' +
        '  issuer query "from holders"            who holds coins, debt, ratio, tier, in SQL\n' +
        '  issuer query --list                    what else can be asked\n  issuer doctor                          is this machine ready?\n\n' +
        'Exit codes: 0 done · 1 internal · 2 usage · 3 input missing · 4 source refused · 5 validation failed, ' +
        'nothing published · 6 published with degraded coverage · 75 locked, try later · 130 interrupted.',
    );
  const shell = commandShell(args, issuerProcess);
  mountCommands(program, shell);
  program
    .command('completion')
    .description('print a completion script: eval "$(issuer completion)"; fish: | source')
    .addArgument(new Argument('[shell]').choices(completionShells).default('bash'))
    .action((asked: CompletionShell) => issuerProcess.out.write(completionScript(program, asked)));
  return program;
}

/** Every command, in the order of the help; each declares its options here and imports its work when it runs. */
function mountCommands(program: Command, shell: CommandShell): void {
  mountNightlyCommand(program, shell);
  mountBackfillCommand(program, shell);
  mountSnapshotCommand(program, shell);
  mountQueryCommand(program, shell);
  mountExplainCommand(program, shell);
  mountExportCommand(program, shell);
  mountChartCommand(program, shell);
  mountBriefCommand(program, shell);
  mountBacktestCommand(program, shell);
  mountRecordCommand(program, shell);
  mountCurrentReportsCommand(program, shell);
  mountReleaseCommands(program, shell);
  mountRegistryCommands(program, shell);
  mountDoctorCommand(program, shell);
}

function commandShell(args: readonly string[], issuerProcess: IssuerProcess): CommandShell {
  const json = args.includes('--json');
  const quiet = args.includes('--quiet');
  return {
    json,
    defaultData: issuerProcess.environment['II_DATA'] ?? './data',
    environment: issuerProcess.environment,
    nodeVersion: issuerProcess.nodeVersion,
    signal: issuerProcess.signal,
    storeEffects: () => storeEffects({ json, quiet }, issuerProcess),
    stdin: issuerProcess.stdin ?? null,
    isTerminal: issuerProcess.out.isTTY === true,
    print: (text) => issuerProcess.out.write(printableLines(text)),
    printData: (text) => issuerProcess.out.write(text),
    notice: (text) => issuerProcess.err.write(`! ${printable(text)}\n`),
    printJson: (value) => issuerProcess.out.write(`${JSON.stringify(value)}\n`),
  };
}

function storeEffects(
  { json, quiet }: { json: boolean; quiet: boolean },
  issuerProcess: IssuerProcess,
): StoreEffects {
  const clock = systemClock();
  const out = json ? issuerProcess.out : issuerProcess.err;
  const spoken =
    !json && issuerProcess.err.isTTY === true
      ? terminalLog({
          clock,
          out,
          peakMemoryBytes,
          colour: issuerProcess.environment['NO_COLOR'] === undefined,
        })
      : jsonLog({ clock, out, peakMemoryBytes });
  const log: Log = (event) => {
    if (!quiet || event.level !== 'info') spoken(event);
  };
  return { clock, log, files: realFiles(), buildMemoryBytes: buildMemory(issuerProcess.environment) };
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
