#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// composition root of the server: the only file that knows the process

// beside the packages, where only who installed the program writes; a place that takes no file costs the speed alone;
// what is imported before it is compiled at every start
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { exitCodes } = await import('../data/contract/errors/errorCodes.ts');
const { IssuerError } = await import('../data/contract/errors/issuerError.ts');
const { quietPipes } = await import('../data/contract/commandLine/terminal.ts');
const { issuerServeProgram } = await import('./issuerServeProgram.ts');
quietPipes([process.stdout, process.stderr]);

const program = issuerServeProgram({
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  pid: process.pid,
  atExit: (last) => void process.once('exit', last),
  stopped: () =>
    new Promise((resolve) => {
      process.once('SIGTERM', () => resolve());
      process.once('SIGINT', () => resolve());
    }),
  endWith(exitCode) {
    process.exitCode = exitCode;
  },
  exit: (exitCode) => process.exit(exitCode),
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}

function reportFailure(error: unknown): number {
  if (error instanceof IssuerError) {
    const shown = error.toCli();
    process.stderr.write(`issuer-serve: ${shown.message}\n${shown.hint === '' ? '' : `  ${shown.hint}\n`}`);
    return shown.exitCode;
  }
  // commander has printed its own message; help and version end with 0
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  process.stderr.write(
    `issuer-serve: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.internal;
}
