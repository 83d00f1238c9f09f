import type { Command } from 'commander';
import grantPrograms from '../../data/contract/billing/grantPrograms.json' with { type: 'json' };
import type {
  CreateGrantOptions,
  GrantChangeName,
  GrantChangeOptions,
  GrantsCommandEffects,
} from './changeGrants.ts';

/**
 * Mounts the `grants` commands (I5.51, P7.18) on a program; the first that runs loads its work. Each prints one JSON
 * object, lists one a line; changes need `--as` and are journalled.
 *
 * The actions throw IssuerError `usage` for bad arguments and changes I3.13 does not have, `input_missing` for grants
 * that are not in the ledger.
 */
export function mountGrantsCommands(root: Command, load: () => Promise<GrantsCommandEffects>): void {
  const work = () => import('./changeGrants.ts');
  const grants = root.command('grants').description('enrol, change and read grants');
  grants
    .command('create')
    .description('enrol a wallet or an account in a program')
    .requiredOption('--program <program>', Object.keys(grantPrograms).join(' or '))
    .option('--wallet <address>', 'who signs in')
    .option('--account <account>', 'who is credited, for founding_user_credit')
    .option('--budget <usd>', "USD to spend (default: the program's)")
    .option('--days <days>', 'life of the budget', '30')
    .option('--routes <routes>', "METHOD /path,… (default: the program's)")
    .option('--override-range', "take a budget outside the program's range")
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (options: CreateGrantOptions) => (await work()).create(options, await load()));
  grants
    .command('list')
    .description('list the grants, one JSON object a line')
    .action(async () => (await work()).list(await load()));
  grants
    .command('show')
    .description('print a grant with its journal')
    .argument('<grant-id>')
    .action(async (id: string) => (await work()).show(id, await load()));
  grants
    .command('debits')
    .description('list the debits of a grant, one JSON object a line')
    .argument('<grant-id>')
    .action(async (id: string) => (await work()).debits(id, await load()));
  const change = (name: GrantChangeName, about: string, options = (command: Command) => command): void => {
    options(grants.command(name).description(about))
      .argument('<grant-id>')
      .requiredOption('--as <operator>', 'who makes the change')
      .action(async (id: string, given: GrantChangeOptions) =>
        (await work()).change({ name, id, options: given, effects: await load() }),
      );
  };
  change('suspend', 'hold a grant back');
  change('resume', 'end a suspension');
  change('revoke', 'end a grant for good, and its sessions');
  change('extend', 'give a grant a later end', (command) => command.requiredOption('--until <date>'));
  change('topup', 'add to a budget', (command) =>
    command.requiredOption('--usd <amount>').option('--override-range', "go beyond the program's range"),
  );
  change('routes', 'replace what a grant covers', (command) => command.requiredOption('--set <routes>'));
  grants
    .command('link-wallet')
    .description('let a wallet sign in for a grant')
    .argument('<grant-id>')
    .argument('<wallet>')
    .requiredOption('--as <operator>', 'who makes the change')
    .action(async (id: string, wallet: string, { as }: { as: string }) =>
      (await work()).change({ name: 'link-wallet', id, options: { as, wallet }, effects: await load() }),
    );
  grants
    .command('mint-session')
    .description('print a session token of an account-first grant, once')
    .argument('<grant-id>')
    .requiredOption('--as <operator>', 'who hands it out')
    .action(async (id: string, { as }: { as: string }) => (await work()).mint(id, as, await load()));
}
