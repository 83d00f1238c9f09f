import { Argument, Command } from 'commander';
import {
  type CompletionShell,
  completionScript,
  completionShells,
} from '../data/contract/commandLine/completionScript.ts';
import { fitColumns } from '../data/contract/commandLine/terminal.ts';
import { versions } from '../data/contract/values/versions.ts';
import { addExamples } from './commands/addExamples.ts';
import { mountGrantsCommands } from './commands/grantsCommands.ts';
import { mountKeysCommands } from './commands/keysCommands.ts';
import { mountLedgerCommands } from './commands/ledgerCommands.ts';
import type { ServeProcess, ServeShell } from './commands/serveShell.ts';

type Work = typeof import('./commands/serveShell.ts');

/** The commands of `issuer-serve`, declared; none has loaded its work. */
export function issuerServeProgram(serveProcess: ServeProcess): Command {
  const { stdout, stderr } = serveProcess;
  const program = new Command('issuer-serve')
    .description('Serves signed releases over HTTP behind one payment gate.')
    .version(versions.api)
    .option('--env-file <file>', 'configuration under the environment (NAME=value lines)')
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(fitColumns(text)),
      writeErr: (text) => stderr.write(fitColumns(text)),
    });

  /** Loads the work of the commands, and does some of it. */
  const using = async <T>(act: (work: Work, shell: ServeShell) => T): Promise<Awaited<T>> => {
    const work = await import('./commands/serveShell.ts');
    return await act(
      work,
      work.serveShell(serveProcess, program.opts<{ envFile?: string }>().envFile ?? null),
    );
  };

  program
    .command('start')
    .description('run the server until SIGTERM or SIGINT')
    .action(() => using((work, shell) => work.start(shell)));
  program
    .command('settle')
    .description('run the settlement process until SIGTERM or SIGINT (II_PAY_EXACT=self)')
    .action(() => using((work, shell) => work.settle(shell)));
  program
    .command('get')
    .description('answer one request through the handler, without a socket, with operator access')
    .argument('<path>', 'path with query, for example /v1/covenant-stress/MSTR')
    .option('--headers', 'print status and headers before the body')
    .action((path: string, { headers = false }: { headers?: boolean }) =>
      using((work, shell) => work.get(shell, { path, showHeaders: headers })),
    );
  program
    .command('verify')
    .description(
      'check a saved answer: payload hash and, with --manifest, artifact and signature; 5 when wrong',
    )
    .argument('<file>', 'body of a paid 200, as it came')
    .option('--manifest <file>', 'saved /.well-known/artifact-manifest.json?version=<release of the answer>')
    .option('--key <base64>', 'public_key of /v1/contract/fields, from a source you trust')
    .action((answer: string, { manifest, key }: { manifest?: string; key?: string }) =>
      using((work, shell) =>
        work.verify(shell, { answer, manifest: manifest ?? null, publicKey: key ?? null }),
      ),
    );
  program
    .command('check-config')
    .description('read the configuration, open ledger and artifacts read-only, print what is in force')
    .action(() => using((work, shell) => work.checkConfig(shell)));
  program
    .command('audit')
    .description('audit a promoted release through the handler and write audit/<day>.json; 6 when degraded')
    .option('--date <day>', 'source date of the slice (default: the current one)')
    .action(({ date }: { date?: string }) => using((work, shell) => work.audit(shell, date ?? null)));
  mountKeysCommands(program, () => using((work, shell) => work.operatorEffects(shell)));
  mountGrantsCommands(program, () => using((work, shell) => work.grantsEffects(shell)));
  mountLedgerCommands(program, () => using((work, shell) => work.ledgerEffects(shell)));
  program
    .command('completion')
    .description('print a completion script: eval "$(issuer-serve completion)"; fish: | source')
    .addArgument(new Argument('[shell]').choices(completionShells).default('bash'))
    .action((asked: CompletionShell) => stdout.write(completionScript(program, asked)));

  addExamples(program);
  return program;
}
