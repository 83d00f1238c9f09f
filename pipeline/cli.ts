#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// composition root of the pipeline: the only file that knows the process

// beside the packages, where only who installed the program writes; a place that takes no file costs the speed alone;
// what is imported before it is compiled at every start
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'));
const { exitCodes } = await import('../data/contract/errors/errorCodes.ts');
const { quietPipes } = await import('../data/contract/commandLine/terminal.ts');
const { runIssuer } = await import('./runIssuer.ts');

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

process.exitCode = await runIssuer(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  ...(process.stdin.isTTY ? {} : { stdin: process.stdin }),
  environment: process.env,
  nodeVersion: process.versions.node,
  signal: interrupt.signal,
});
// what is then still at work is a statement that could not be stopped, and no exit goes before its end
if (process.exitCode === exitCodes.interrupted)
  setTimeout(() => {
    process.removeAllListeners('SIGINT');
    process.kill(process.pid, 'SIGINT');
  }, 200).unref();
