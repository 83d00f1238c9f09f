import type { Command } from 'commander';
import type { CreateKeyOptions, KeysCommandEffects } from './changeKeys.ts';

/**
 * Mounts `keys create`, `keys list` and `keys revoke` (I5.51, P6.2) on a program; the first that runs loads its work. Each
 * prints one JSON object, a list prints one per line; the secret is printed once, by `create`, and is never logged (I5.52).
 *
 * The actions throw IssuerError `usage` for bad arguments and `store_unwritable` when the ledger cannot write.
 */
export function mountKeysCommands(program: Command, load: () => Promise<KeysCommandEffects>): void {
  const work = () => import('./changeKeys.ts');
  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('create an API key and print it once; every server takes it within 5 s')
    .requiredOption('--label <label>', 'what the key is for')
    .option('--scopes <scopes>', 'comma-separated: rest, mcp, visual', 'rest')
    .option('--expires <date>', 'the key is invalid from this day or instant on (UTC)')
    .option('--replaces <key-id>', 'the key this one succeeds')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (options: CreateKeyOptions) => (await work()).createKey(options, await load()));
  keys
    .command('list')
    .description('list the API keys, one JSON object a line, without secrets')
    .action(async () => (await work()).listKeys(await load()));
  keys
    .command('revoke')
    .description('revoke an API key; every server refuses it within 5 s')
    .argument('<key-id>', 'the ten characters after iik_')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (keyId: string, { as }: { as: string }) =>
      (await work()).revokeKey({ keyId, as, effects: await load() }),
    );
}
