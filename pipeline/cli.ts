#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { type CanonicalValue, canonicalJson } from '../contract/canonicalJson.ts';
import { exitCodes } from '../contract/errorCodes.ts';
import { IssuerError } from '../contract/issuerError.ts';
import type { CommandShell } from './commands/commandShell.ts';
import { mountDoctorCommand } from './commands/doctorCommand.ts';
import { mountNightCommands } from './commands/nightCommands.ts';
import { mountReleaseCommands } from './commands/releaseCommands.ts';
import { mountWarehouseCommands } from './commands/warehouseCommands.ts';
import { realFiles, type StoreEffects, systemClock } from './effects.ts';
import { asIssuerError } from './nightly/asIssuerError.ts';
import { bashCompletion } from './nightly/bashCompletion.ts';
import { programVersion } from './nightly/codeVersion.ts';
import { jsonLog, terminalLog } from './nightly/runLog.ts';
import { quietPipes } from './quietPipes.ts';

// composition root of the pipeline: the only file that knows the process

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // asked twice: leave at once, every file is whole at every moment
    if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
    interrupt.abort();
    process.stderr.write('\nStopping at the next safe point; once more to stop now.\n');
  });
}
quietPipes([process.stdout, process.stderr]);

let json = false;
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  json = args.includes('--json');
  try {
    const program = await issuerProgram();
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    return fail(error instanceof CommanderError ? usageError(error) : asIssuerError(error));
  }
}

async function issuerProgram(): Promise<Command> {
  const program = new Command('issuer')
    .description(
      'Solvency intelligence for public companies that hold crypto.\n\n' +
        'Every night: SEC archives → DuckDB warehouse → calculators → one signed, immutable release.\n' +
        'Every figure walks back to an accession number, a concept, a period and a unit.',
    )
    .version(await programVersion())
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addHelpText(
      'after',
      '\nStart here:\n  issuer nightly --source fixtures       real filed figures, no network, under a minute\n' +
        '  issuer query "select * from stress"    the same figures in SQL\n  issuer doctor                          is this machine ready?\n\n' +
        'Exit codes: 0 done · 1 internal · 2 usage · 3 input missing · 4 source refused · 5 validation failed,\n' +
        'nothing published · 6 published with degraded coverage · 75 locked, try later · 130 interrupted.',
    );
  const shell = commandShell();
  mountNightCommands(program, shell);
  mountWarehouseCommands(program, shell);
  mountReleaseCommands(program, shell);
  mountDoctorCommand(program, shell);
  program
    .command('completion')
    .description('print a bash completion script: eval "$(issuer completion)"')
    .action(() => print(bashCompletion(program)));
  return program;
}

function commandShell(): CommandShell {
  return {
    json,
    defaultData: process.env['II_DATA'] ?? './data',
    environment: process.env,
    nodeVersion: process.versions.node,
    signal: interrupt.signal,
    storeEffects,
    print,
    printJson: (value) => print(`${JSON.stringify(value)}\n`),
  };
}

function storeEffects(): StoreEffects {
  const clock = systemClock();
  const out = json ? process.stdout : process.stderr;
  const log =
    !json && process.stderr.isTTY
      ? terminalLog({ clock, out, colour: process.env['NO_COLOR'] === undefined })
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

function fail(error: IssuerError): number {
  const { exitCode, code, message, hint, details } = error.toCli();
  if (json) {
    process.stdout.write(
      `${canonicalJson({ level: 'error', code, exit_code: exitCode, message, hint, details } as CanonicalValue)}\n`,
    );
  } else {
    process.stderr.write(`\n✗ ${message}\n  ${hint}${hint === '' ? '' : '\n'}`);
  }
  return exitCode;
}

function print(text: string): void {
  process.stdout.write(text);
}
